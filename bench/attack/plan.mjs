/**
 * How much there is, and how much one caller asks for.
 *
 * @typedef {object} Plan
 * @property {string} name
 * @property {number} users each with 230 long e-mail addresses, about 230 kB
 * @property {number} groups each with `members` members
 * @property {number} members
 * @property {number} tenants of the control plane
 * @property {number} records in its log
 * @property {number} notes of the greedy namespace, each of 100 kB
 * @property {number} clients that ask for everything
 * @property {number} idleClients that ask for a large group and read nothing of it
 * @property {number} seconds
 */

/** @type {Plan} */
const FULL = {
  name: 'full',
  users: 5000,
  groups: 3,
  members: 200_000,
  tenants: 100_000,
  records: 100_000,
  notes: 1000,
  clients: 60,
  idleClients: 4,
  seconds: 300,
};

/** @type {Plan} */
const SHORT = {
  name: 'short',
  users: 100,
  groups: 1,
  members: 200_000,
  tenants: 100_000,
  records: 20_000,
  notes: 100,
  clients: 60,
  idleClients: 4,
  seconds: 10,
};

/**
 * @param {readonly string[]} args of the command line
 * @param {readonly string[]} known names of cases; all of them when none is given
 */
export function choosePlan(args, known) {
  const names = args.filter((arg) => arg !== '--short');
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new TypeError(`expected --short, ${known.join(', ')}; found ${unknown.join(' ')}`);
  }
  return { plan: args.includes('--short') ? SHORT : FULL, cases: names.length === 0 ? known : names };
}
