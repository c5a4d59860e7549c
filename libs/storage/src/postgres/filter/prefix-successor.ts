const MAX_CODE_POINT = 0x10ffff;
const BEFORE_SURROGATES = 0xd7ff;
const AFTER_SURROGATES = 0xe000;

/**
 * The least text, by code point, that is greater than every text with this prefix: texts with the prefix are those in
 * `[prefix, prefixSuccessor(prefix))`, a range that a B-tree index serves. Undefined when there is no greater text.
 */
export function prefixSuccessor(prefix: string): string | undefined {
  const characters = Array.from(prefix);
  for (let last = characters.pop(); last !== undefined; last = characters.pop()) {
    const codePoint = last.codePointAt(0) ?? MAX_CODE_POINT;
    if (codePoint < MAX_CODE_POINT) {
      const next = codePoint === BEFORE_SURROGATES ? AFTER_SURROGATES : codePoint + 1;
      return characters.join('') + String.fromCodePoint(next);
    }
  }
  return undefined;
}
