import { median, medianRatio } from './statistics.mjs';

/**
 * One line of the report.
 *
 * @typedef {object} Finding
 * @property {string} key of the JSON result
 * @property {string} name
 * @property {string} ours
 * @property {string} beside what it is compared with
 * @property {number | null} value what counts, null when it could not be measured
 * @property {string} [unit] of the value; without it the value is a ratio
 * @property {Target} [target] absent where the line is for information only
 *
 * @typedef {{ readonly atLeast: number } | { readonly atMost: number }} Target
 */

/**
 * How many times a rate of ours is the best of the others.
 *
 * @param {Pick<Finding, 'key' | 'name' | 'target'> & {
 *   ours: readonly number[],
 *   others: Readonly<Record<string, readonly number[] | undefined>>,
 * }} comparison rates of the same rounds; those of one that could not be measured are undefined
 * @returns {Finding}
 */
export function compareRates({ ours, others, ...line }) {
  const measured = Object.entries(others)
    .filter(([, rates]) => rates !== undefined)
    .toSorted(([, a], [, b]) => median(b) - median(a));
  const beside = measured.map(([name, rates]) => `${name} ${formatRate(median(rates))}`).join(', ');
  const [best] = measured;
  const value = best === undefined ? null : medianRatio(ours, best[1]);
  return { ...line, ours: formatRate(median(ours)), beside: beside || 'no peer', value };
}

/**
 * How many times as long ours takes at one size as at another.
 *
 * @param {Pick<Finding, 'key' | 'name' | 'target'> & {
 *   large: readonly number[],
 *   small: readonly number[],
 *   smallName: string,
 * }} comparison times in ms, measured in turn
 * @returns {Finding}
 */
export function compareTimes({ large, small, smallName, ...line }) {
  const beside = `${smallName} ${formatMs(median(small))}`;
  return { ...line, ours: formatMs(median(large)), beside, value: medianRatio(large, small) };
}

/** @param {readonly number[]} rates per second @returns {number[]} ms */
export function toTimes(rates) {
  return rates.map((rate) => 1000 / rate);
}

/** @param {Finding} finding */
export function isMet({ value, target }) {
  if (target === undefined || value === null) {
    return undefined;
  }
  return 'atLeast' in target ? value >= target.atLeast : value <= target.atMost;
}

/** @param {number} rate */
export function formatRate(rate) {
  return `${rate < 100 ? rate.toFixed(1) : Math.round(rate).toLocaleString('en-US')}/s`;
}

/** @param {number} ms */
export function formatMs(ms) {
  return `${ms.toFixed(2)} ms`;
}
