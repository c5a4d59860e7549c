/** The mean of the two in the middle when their number is even. @param {readonly number[]} values */
export function median(values) {
  const sorted = sort(values);
  const upper = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[upper] : (sorted[upper - 1] + sorted[upper]) / 2;
}

/**
 * The median of the ratios, pair by pair: what disturbs both of a pair alike does not count.
 *
 * @param {readonly number[]} values
 * @param {readonly number[]} others as many
 */
export function medianRatio(values, others) {
  return median(values.map((value, index) => value / others[index]));
}

/** Nearest rank. @param {readonly number[]} values @param {number} percent above 0 */
export function percentile(values, percent) {
  return sort(values)[Math.ceil((percent / 100) * values.length) - 1];
}

/** @param {readonly number[]} values */
function sort(values) {
  if (values.length === 0) {
    throw new RangeError('expected at least one value');
  }
  return values.toSorted((a, b) => a - b);
}
