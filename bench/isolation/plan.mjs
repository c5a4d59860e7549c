/**
 * How long and how much is measured.
 *
 * @typedef {object} Plan
 * @property {number} rounds how often each competitor is measured; the median counts
 * @property {number} jobSeconds of one round of jobs on PostgreSQL
 * @property {number} cycles of acquire and release in one round
 * @property {number} sessions to be opened and closed
 * @property {number} importedUsers of the provider beside which another one is measured
 */

/** @type {Plan} */
const FULL = { rounds: 21, jobSeconds: 10, cycles: 50_000, sessions: 4000, importedUsers: 50_000 };

/** @type {Plan} */
const QUICK = { rounds: 5, jobSeconds: 3, cycles: 20_000, sessions: 400, importedUsers: 5000 };

/** @param {readonly string[]} args of the command line */
export function choosePlan(args) {
  const unknown = args.filter((arg) => arg !== '--quick');
  if (unknown.length > 0) {
    throw new TypeError(`expected no argument but --quick, found ${unknown.join(' ')}`);
  }
  return args.includes('--quick') ? QUICK : FULL;
}
