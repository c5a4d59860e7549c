import { InvalidIdentifierError } from '../identifiers.js';

declare const brand: unique symbol;
/** A glob over namespaces: `*` is any run of characters (none included), `?` is one; everything else is itself. */
export type NamespacePattern = string & { readonly [brand]: 'NamespacePattern' };

/** One name; `prefix*` (`*` alone is the empty prefix); anything else. The first two cost the same however many there are. */
export type PatternShape = 'exact' | 'prefix' | 'wildcard';

/** So many patterns of shape `wildcard` may be registered: they are matched one by one. */
export const MAX_WILDCARD_PATTERNS = 1000;

/** 1 to 63 characters; what stands for itself can occur in a namespace. */
const PATTERN = /^[a-z0-9*?]([-a-z0-9*?]{0,61}[a-z0-9*?])?$/;

/** @throws {InvalidIdentifierError} when no namespace could match, or the text is too long */
export function parseNamespacePattern(text: string): NamespacePattern {
  if (!PATTERN.test(text)) {
    throw new InvalidIdentifierError(
      'namespace pattern',
      text,
      '1 to 63 of a-z, 0-9, inner "-", "*" for any characters and "?" for one',
    );
  }
  return text.replaceAll(/\*+/g, '*') as NamespacePattern;
}

export function patternShape(pattern: NamespacePattern): PatternShape {
  const prefix = literalPrefix(pattern);
  if (prefix.length === pattern.length) {
    return 'exact';
  }
  return pattern.endsWith('*') && prefix.length === pattern.length - 1 ? 'prefix' : 'wildcard';
}

/** What every namespace that matches begins with: the pattern up to its first `*` or `?`. */
export function literalPrefix(pattern: NamespacePattern): string {
  const end = pattern.search(/[*?]/);
  return end === -1 ? pattern : pattern.slice(0, end);
}

/** Whether the pattern matches all of the namespace. Takes at most as many steps as the product of their lengths. */
export function matchesNamespace(pattern: NamespacePattern, namespace: string): boolean {
  let at = 0;
  let star = -1;
  let resumeAt = 0;
  for (let index = 0; index < namespace.length;) {
    const token = pattern[at];
    if (token === '*') {
      star = at;
      resumeAt = index;
      at += 1;
    } else if (token === '?' || token === namespace[index]) {
      at += 1;
      index += 1;
    } else if (star === -1) {
      return false;
    } else {
      // What follows the last star did not match here: let that star have one character more.
      at = star + 1;
      resumeAt += 1;
      index = resumeAt;
    }
  }
  return at === pattern.length || (at === pattern.length - 1 && pattern[at] === '*');
}

/**
 * Orders patterns that match the same namespace; the first one has it: a name, then the longest literal prefix, then the
 * most literal characters, then the most `?`, then the fewest `*`, then by text. So a pattern whose namespaces are a part
 * of another's comes first whenever the two begin alike. Zero only for the same pattern.
 */
export function comparePatterns(a: NamespacePattern, b: NamespacePattern): number {
  const byShape = Number(patternShape(b) === 'exact') - Number(patternShape(a) === 'exact');
  const byPrefix = literalPrefix(b).length - literalPrefix(a).length;
  const [ofA, ofB] = [countTokens(a), countTokens(b)];
  const byTokens = ofB.literals - ofA.literals || ofB.singles - ofA.singles || ofA.stars - ofB.stars;
  return byShape || byPrefix || byTokens || (a === b ? 0 : a < b ? -1 : 1);
}

function countTokens(pattern: NamespacePattern): { literals: number; singles: number; stars: number } {
  const singles = pattern.split('?').length - 1;
  const stars = pattern.split('*').length - 1;
  return { literals: pattern.length - singles - stars, singles, stars };
}

const MAX_NAMESPACE_LENGTH = 63;
const UNREACHABLE = 255;

/** What the namespace has so far: nothing, or something that a namespace may not or may end with. */
const EMPTY = 0;
const AFTER_HYPHEN = 1;
const AFTER_ALPHANUMERIC = 2;
const ENDINGS = 3;

/**
 * Whether some namespace (1 to 63 of a-z, 0-9 and inner "-") matches both patterns. Exact: computed, in time bounded by the
 * product of the patterns' lengths.
 */
export function patternsOverlap(a: NamespacePattern, b: NamespacePattern): boolean {
  const [prefixOfA, prefixOfB] = [literalPrefix(a), literalPrefix(b)];
  if (!prefixOfA.startsWith(prefixOfB) && !prefixOfB.startsWith(prefixOfA)) {
    return false;
  }
  const [shapeOfA, shapeOfB] = [patternShape(a), patternShape(b)];
  if (shapeOfA === 'exact') {
    return matchesNamespace(b, a);
  }
  if (shapeOfB === 'exact') {
    return matchesNamespace(a, b);
  }
  return (shapeOfA === 'prefix' && shapeOfB === 'prefix') || shortestCommonLength(a, b) <= MAX_NAMESPACE_LENGTH;
}

/**
 * Length of the shortest text that both patterns match and that neither begins nor ends with a hyphen. Walks the product
 * of the patterns once: `shortest` holds, for each pair of positions and each ending, how long the text is that leads there.
 */
function shortestCommonLength(a: NamespacePattern, b: NamespacePattern): number {
  const width = b.length + 1;
  const shortest = new Uint8Array((a.length + 1) * width * ENDINGS).fill(UNREACHABLE);
  const relax = (position: number, ending: number, length: number): void => {
    const index = position * ENDINGS + ending;
    shortest[index] = Math.min(shortest[index] ?? UNREACHABLE, length);
  };
  relax(0, EMPTY, 0);

  for (let position = 0; position < (a.length + 1) * width; position += 1) {
    const [ofA, ofB] = [a[Math.floor(position / width)], b[position % width]];
    const consumed = commonCharacter(ofA, ofB);
    const next = position + (ofA === '*' ? 0 : width) + (ofB === '*' ? 0 : 1);
    for (let ending = EMPTY; ending < ENDINGS; ending += 1) {
      const length = shortest[position * ENDINGS + ending] ?? UNREACHABLE;
      if (length >= MAX_NAMESPACE_LENGTH + 1) {
        continue;
      }
      if (ofA === '*') {
        relax(position + width, ending, length);
      }
      if (ofB === '*') {
        relax(position + 1, ending, length);
      }
      if (consumed === '-' && ending !== EMPTY) {
        relax(next, AFTER_HYPHEN, length + 1);
      } else if (consumed !== undefined && consumed !== '-') {
        relax(next, AFTER_ALPHANUMERIC, length + 1);
      }
    }
  }
  return shortest.at(-1) ?? UNREACHABLE;
}

/**
 * The character that both tokens accept; a letter when that is open, as it may stand wherever a hyphen may. Undefined
 * when there is none.
 */
function commonCharacter(ofA: string | undefined, ofB: string | undefined): string | undefined {
  if (ofA === undefined || ofB === undefined) {
    return undefined;
  }
  const [freeA, freeB] = [ofA === '*' || ofA === '?', ofB === '*' || ofB === '?'];
  if (freeA) {
    return freeB ? 'a' : ofB;
  }
  return freeB || ofA === ofB ? ofA : undefined;
}
