/** Two names that are less similar have little in common. */
const MIN_SIMILARITY = 0.84;
const MAX_NAME_LENGTH = 100;

/**
 * The candidate that `name` was probably meant to be: long names may differ in more letters than short ones, and neither
 * the order of words nor the way they are joined matters (`connectionsPerNamespace`, `max-connections-total`).
 */
export function closestName(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length > MAX_NAME_LENGTH) {
    return undefined;
  }
  const words = sortWords(name);
  let best: { readonly candidate: string; readonly similarity: number } | undefined;
  for (const candidate of candidates) {
    const similarity = Math.max(jaroSimilarity(name, candidate), jaroSimilarity(words, sortWords(candidate)));
    if (similarity >= MIN_SIMILARITY && similarity > (best?.similarity ?? 0)) {
      best = { candidate, similarity };
    }
  }
  return best?.candidate;
}

function sortWords(name: string): string {
  const snake = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return snake
    .split(/[_\-. ]/)
    .toSorted()
    .join('');
}

/** Jaro similarity: 1 for equal texts, 0 for texts without a letter in common; letters that swapped places count half. */
function jaroSimilarity(a: string, b: string): number {
  if (a === b) {
    return 1;
  }
  const [inA, inB] = commonLetters(a, b);
  const common = inA.length;
  if (common === 0) {
    return 0;
  }
  const moved = inA.filter((letter, index) => letter !== inB[index]).length / 2;
  return (common / a.length + common / b.length + (common - moved) / common) / 3;
}

/** The letters of each text that the other one has at about the same place, in their order. */
function commonLetters(a: string, b: string): [string[], string[]] {
  const reach = Math.max(0, Math.floor(Math.max(a.length, b.length) / 2) - 1);
  const taken = new Set<number>();
  const inA: string[] = [];
  for (const [index, letter] of [...a].entries()) {
    const from = Math.max(0, index - reach);
    const at = [...b].findIndex((each, i) => i >= from && i <= index + reach && each === letter && !taken.has(i));
    if (at !== -1) {
      taken.add(at);
      inA.push(letter);
    }
  }
  return [inA, [...b].filter((_, index) => taken.has(index))];
}
