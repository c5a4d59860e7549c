/**
 * How much is measured.
 *
 * @typedef {object} Plan
 * @property {number} tenants registered in all
 * @property {number} poolTenants of them, how many the pool of the proxies serves
 * @property {number} changes of tenants that are timed
 * @property {number} starts of a proxy
 * @property {number} users whose access is taken away
 * @property {number} sessionsPerUser over all proxies
 * @property {number} kills of the control plane
 * @property {number} usersPerKill who are deactivated when it is killed
 * @property {number} accessRounds
 * @property {number} requests through the load balancer
 * @property {number} movingTenants
 * @property {number} capRounds of a quiet tenant alone and beside a flood
 */

/** @type {Plan} */
const FULL = {
  tenants: 100_000,
  poolTenants: 10_000,
  changes: 400,
  starts: 7,
  users: 100,
  sessionsPerUser: 10,
  kills: 3,
  usersPerKill: 10,
  accessRounds: 21,
  requests: 200_000,
  movingTenants: 200,
  capRounds: 7,
};

/** @type {Plan} */
const QUICK = {
  ...FULL,
  tenants: 10_000,
  changes: 100,
  starts: 3,
  users: 20,
  kills: 1,
  usersPerKill: 4,
  accessRounds: 7,
  requests: 20_000,
  capRounds: 3,
};

/** @param {readonly string[]} args of the command line */
export function choosePlan(args) {
  const unknown = args.filter((arg) => arg !== '--quick');
  if (unknown.length > 0) {
    throw new TypeError(`expected no argument but --quick, found ${unknown.join(' ')}`);
  }
  return args.includes('--quick') ? QUICK : FULL;
}
