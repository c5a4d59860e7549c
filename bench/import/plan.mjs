/**
 * How much is imported.
 *
 * @typedef {object} Plan
 * @property {string} name
 * @property {number} users of the large import
 * @property {number} fewUsers of the small one, whose memory is compared with that of the large one
 * @property {number} groups
 * @property {number} rounds in which imports and single requests take turns
 * @property {number} roundUsers of each round
 * @property {number} kills of the import that is killed again and again
 */

/** @type {Plan} */
const FULL = { name: 'full', users: 100_000, fewUsers: 10_000, groups: 1000, rounds: 3, roundUsers: 10_000, kills: 10 };

/** @type {Plan} */
const QUICK = { name: 'quick', users: 20_000, fewUsers: 5000, groups: 200, rounds: 3, roundUsers: 4000, kills: 5 };

/** @param {readonly string[]} args of the command line */
export function choosePlan(args) {
  const unknown = args.filter((arg) => arg !== '--quick');
  if (unknown.length > 0) {
    throw new TypeError(`expected no argument but --quick, found ${unknown.join(' ')}`);
  }
  return args.includes('--quick') ? QUICK : FULL;
}
