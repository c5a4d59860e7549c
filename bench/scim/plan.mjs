/**
 * How long and how much is measured.
 *
 * @typedef {object} Plan
 * @property {string} name
 * @property {number} rounds how often each competitor is measured, in turn
 * @property {number} seconds of one round
 * @property {number} warmUpSeconds before the first round, per competitor
 * @property {number} users that every competitor holds when gets, filters and creates are measured
 * @property {number} deepUsers that are paged through
 * @property {number} manyUsers that one user is filtered out of, compared with `users`
 * @property {number} memberChanges timed additions to each group
 * @property {number} starts
 * @property {number} soakSeconds
 * @property {number} scimmyUsers that scimmy holds when its deep pages are measured; 0 for not at all
 */

/** @type {Plan} */
const FULL = {
  name: 'full',
  rounds: 7,
  seconds: 1,
  warmUpSeconds: 2,
  users: 1000,
  deepUsers: 100_000,
  manyUsers: 1_000_000,
  memberChanges: 250,
  starts: 5,
  soakSeconds: 120,
  scimmyUsers: 10_000,
};

/** @type {Plan} */
const QUICK = {
  ...FULL,
  name: 'quick',
  rounds: 2,
  warmUpSeconds: 1,
  manyUsers: 100_000,
  memberChanges: 200,
  starts: 3,
  soakSeconds: 8,
  scimmyUsers: 0,
};

/** @param {readonly string[]} args of the command line */
export function choosePlan(args) {
  const unknown = args.filter((arg) => arg !== '--quick');
  if (unknown.length > 0) {
    throw new TypeError(`expected no argument but --quick, found ${unknown.join(' ')}`);
  }
  return args.includes('--quick') ? QUICK : FULL;
}
