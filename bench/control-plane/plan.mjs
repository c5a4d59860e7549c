/**
 * How long and how much is measured.
 *
 * @typedef {object} Plan
 * @property {number} rounds how often each competitor is measured; the median counts
 * @property {number} lookups of one round
 * @property {number} peerLookups of one round, by whoever matches pattern by pattern
 * @property {number} starts of the service
 */

/** @type {Plan} */
const FULL = { rounds: 41, lookups: 100_000, peerLookups: 10, starts: 9 };

/** @type {Plan} */
const QUICK = { rounds: 11, lookups: 50_000, peerLookups: 3, starts: 5 };

/** @param {readonly string[]} args of the command line */
export function choosePlan(args) {
  const unknown = args.filter((arg) => arg !== '--quick');
  if (unknown.length > 0) {
    throw new TypeError(`expected no argument but --quick, found ${unknown.join(' ')}`);
  }
  return args.includes('--quick') ? QUICK : FULL;
}
