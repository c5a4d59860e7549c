/**
 * How much one provider asks for.
 *
 * @typedef {object} Plan
 * @property {string} name
 * @property {number} users each with 230 long e-mail addresses, about 230 kB
 * @property {number} groups each with `members` members
 * @property {number} members
 * @property {number} clients that ask for everything
 * @property {number} idleClients that ask for a large group and read nothing of it
 * @property {number} seconds
 */

/** @type {Plan} */
const FULL = { name: 'full', users: 5000, groups: 3, members: 200_000, clients: 60, idleClients: 4, seconds: 300 };

/** @type {Plan} */
const SHORT = { name: 'short', users: 100, groups: 1, members: 200_000, clients: 60, idleClients: 4, seconds: 10 };

/** @param {readonly string[]} args of the command line */
export function choosePlan(args) {
  const unknown = args.filter((arg) => arg !== '--short');
  if (unknown.length > 0) {
    throw new TypeError(`expected no argument but --short, found ${unknown.join(' ')}`);
  }
  return args.includes('--short') ? SHORT : FULL;
}
