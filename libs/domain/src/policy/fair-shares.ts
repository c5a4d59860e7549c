/**
 * Divides an amount by max-min fairness: nobody gets more than it wants, and nobody could get more without somebody
 * having less who has no more than it. What cannot be divided evenly goes to those who come first.
 */
export function fairShares(amount: number, wants: readonly number[]): number[] {
  const shares = [...wants];
  const ascending = wants.map((want, index) => ({ want, index })).toSorted((a, b) => a.want - b.want);
  let left = Math.max(0, amount);
  for (const [place, { want }] of ascending.entries()) {
    const level = Math.floor(left / (ascending.length - place));
    if (want > level) {
      const short = ascending.slice(place).map(({ index }) => index);
      const remainder = left - level * short.length;
      short.sort((a, b) => a - b).forEach((index, rank) => (shares[index] = level + (rank < remainder ? 1 : 0)));
      return shares;
    }
    left -= want;
  }
  return shares;
}
