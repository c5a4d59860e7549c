import type { Scalar } from './document-values.js';

/**
 * Negative when `a` comes before `b`, positive when after, 0 when they are equal. Strings order by Unicode code point,
 * numbers by value, false before true. Values of different types order as string, number, boolean, so that any list sorts.
 */
export function compareValues(a: Scalar, b: Scalar): number {
  if (typeof a === 'string' && typeof b === 'string') {
    return compareCodePoints(a, b);
  }
  return typeof a === typeof b ? Number(a) - Number(b) : typeRank(a) - typeRank(b);
}

function compareCodePoints(a: string, b: string): number {
  if (a === b) {
    return 0;
  }
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const left = a.charCodeAt(i);
    const right = b.charCodeAt(i);
    if (left !== right) {
      return codePointRank(left) - codePointRank(right);
    }
  }
  return a.length - b.length;
}

/** UTF-16 puts surrogates (U+10000 and above) before U+E000 to U+FFFF; by code point they come after. */
function codePointRank(unit: number): number {
  const isSurrogate = unit >= 0xd800 && unit <= 0xdfff;
  return isSurrogate ? unit + 0x10000 : unit;
}

function typeRank(value: Scalar): number {
  return ['string', 'number', 'boolean'].indexOf(typeof value);
}
