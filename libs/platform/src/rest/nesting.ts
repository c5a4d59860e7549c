const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN = new Set([0x5b, 0x7b]);
const CLOSE = new Set([0x5d, 0x7d]);

/** Whether lists and objects of a JSON text are nested deeper than `maxDepth`; brackets inside of strings do not count. */
export function isNestedDeeper(text: string, maxDepth: number): boolean {
  let depth = 0;
  let isInString = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (isInString) {
      if (code === BACKSLASH) {
        index += 1;
      } else if (code === QUOTE) {
        isInString = false;
      }
    } else if (code === QUOTE) {
      isInString = true;
    } else if (OPEN.has(code)) {
      depth += 1;
      if (depth > maxDepth) {
        return true;
      }
    } else if (CLOSE.has(code)) {
      depth -= 1;
    }
  }
  return false;
}
