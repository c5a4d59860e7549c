const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN = new Set([0x5b, 0x7b]);
const CLOSE = new Set([0x5d, 0x7d]);

export interface JsonBounds {
  /** Levels of lists and objects. */
  readonly maxDepth: number;
  /** Elements of lists and members of objects, together. */
  readonly maxValues: number;
}

/**
 * The bound that a JSON text exceeds, found without parsing it: a few bytes can ask for a deep recursion, and a few MiB for
 * millions of objects.
 */
export function exceededBound(text: string, { maxDepth, maxValues }: JsonBounds): keyof JsonBounds | undefined {
  let depth = 0;
  let values = 0;
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
    } else if (code === COMMA || OPEN.has(code)) {
      values += 1;
      depth += code === COMMA ? 0 : 1;
      if (depth > maxDepth) {
        return 'maxDepth';
      }
      if (values > maxValues) {
        return 'maxValues';
      }
    } else if (CLOSE.has(code)) {
      depth -= 1;
    }
  }
  return undefined;
}
