/** Runs in a process of its own, so that making load takes no time from the measurements' other work. */
import process from 'node:process';
import autocannon from 'autocannon';
import { createUser, keyOf } from '../lib/users.mjs';

const SAMPLE_INTERVAL_MS = 1000;
const REQUEST_TIMEOUT_SECONDS = 10;
const MAX_FIXED_REQUESTS = 1000;

let created = 0;

/**
 * What to ask for, and for how long.
 *
 * @typedef {object} Load
 * @property {string} base
 * @property {string} token
 * @property {number} seconds
 * @property {number} connections
 * @property {string[]} [getPaths] below the base; each GET takes one of them
 * @property {string[]} [patchPaths] each PATCH sets the display name of a random one
 * @property {string} [createPrefix] of the keys of users to create
 * @property {Partial<Record<'get' | 'create' | 'patch', number>>} weights
 */

process.on('message', (/** @type {Load} */ load) => {
  // The parent ends this process when it ends without an answer.
  void run(load).then(
    (result) => process.send?.({ result }),
    (error) => process.send?.({ error: String(error) }),
  );
});

/** @param {Load} load */
async function run({ base, token, seconds, connections, weights, ...targets }) {
  const { pathname } = new URL(base);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' };
  const result = await autocannon({
    url: base,
    connections,
    duration: seconds,
    sampleInt: SAMPLE_INTERVAL_MS,
    timeout: REQUEST_TIMEOUT_SECONDS,
    headers,
    requests: fixedRequests(pathname, weights, targets) ?? [randomRequest(pathname, headers, weights, targets)],
  });
  const { errors, timeouts, non2xx, statusCodeStats, latency } = result;
  return {
    perSecond: result['2xx'] / result.duration,
    medianMs: latency.p50,
    failures: errors + timeouts + non2xx,
    statuses: Object.fromEntries(Object.entries(statusCodeStats).map(([status, { count }]) => [status, count])),
  };
}

/**
 * A moderate number of GETs is prepared once and repeated in order, which takes the least time from the server.
 *
 * @param {string} root @param {Load['weights']} weights @param {Pick<Load, 'getPaths'>} targets
 */
function fixedRequests(root, { create = 0, patch = 0 }, { getPaths = [''] }) {
  const isSuitable = create === 0 && patch === 0 && getPaths.length <= MAX_FIXED_REQUESTS;
  return isSuitable ? getPaths.map((path) => ({ method: 'GET', path: root + path })) : undefined;
}

/**
 * @param {string} root
 * @param {Record<string, string>} headers
 * @param {Load['weights']} weights
 * @param {Pick<Load, 'getPaths' | 'patchPaths' | 'createPrefix'>} targets
 */
function randomRequest(root, headers, weights, { getPaths, patchPaths, createPrefix }) {
  const makers = {
    get: () => ({ method: 'GET', path: root + pick(getPaths), body: undefined }),
    create: () => ({ method: 'POST', path: `${root}/Users`, body: userBody(createPrefix) }),
    patch: () => ({ method: 'PATCH', path: root + pick(patchPaths), body: patchBody() }),
  };
  const choose = weightedChoice(Object.entries(weights).map(([name, weight]) => [makers[name], weight]));
  // autocannon writes the length of a body into the headers, which the next request must not inherit.
  return { setupRequest: (request) => ({ ...request, headers: { ...headers }, ...choose()() }) };
}

/** @param {string[] | undefined} paths */
function pick(paths = ['']) {
  return paths[Math.floor(Math.random() * paths.length)];
}

/** @param {string | undefined} prefix */
function userBody(prefix = 'user') {
  return JSON.stringify(createUser(keyOf(prefix, created++)));
}

function patchBody() {
  return JSON.stringify({
    schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
    Operations: [{ op: 'replace', path: 'displayName', value: `Barbara ${Math.random()}` }],
  });
}

/**
 * @template T
 * @param {readonly (readonly [T, number])[]} options with their weights
 * @returns {() => T}
 */
function weightedChoice(options) {
  const total = options.reduce((sum, [, weight]) => sum + weight, 0);
  return () => {
    let rest = Math.random() * total;
    const chosen = options.find(([, weight]) => (rest -= weight) < 0) ?? options[0];
    return chosen[0];
  };
}
