import { literalPrefix, matchesNamespace, patternShape, type NamespacePattern } from './namespace-pattern.js';

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
