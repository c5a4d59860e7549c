/** A process: clients that ask for one path after the other until the time is over, and some that read nothing. */
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import process from 'node:process';

/**
 * @typedef {object} Greed
 * @property {string} base of the SCIM endpoints
 * @property {string} token
 * @property {readonly string[]} paths
 * @property {string} idlePath
 * @property {number} clients
 * @property {number} idleClients
 * @property {number} seconds
 */

const { base, token, paths, idlePath, clients, idleClients, seconds } = /** @type {Greed} */ (
  JSON.parse(process.argv[2] ?? '')
);
const agent = new Agent({ keepAlive: true, maxSockets: Infinity });
const headers = { authorization: `Bearer ${token}` };
const signal = AbortSignal.timeout(seconds * 1000);
const outcome = { answers: 0, busy: 0, failed: 0, bytes: 0 };

/** @param {string} path */
async function ask(path) {
  const outgoing = request(base + path, { agent, headers, signal }).end();
  const [response] = await once(outgoing, 'response');
  for await (const chunk of response) {
    outcome.bytes += chunk.length;
  }
  outcome.answers += response.statusCode === 200 ? 1 : 0;
  outcome.busy += response.statusCode === 429 ? 1 : 0;
}

/** @param {number} client */
async function beGreedy(client) {
  for (let turn = client; !signal.aborted; turn++) {
    try {
      await ask(paths[turn % paths.length]);
    } catch {
      outcome.failed += signal.aborted ? 0 : 1;
    }
  }
}

const { hostname, port, pathname } = new URL(base);
const idle = Array.from({ length: idleClients }, () => {
  const socket = connect(Number(port), hostname).pause();
  socket.on('error', () => {});
  socket.write(`GET ${pathname}${idlePath} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${token}\r\n\r\n`);
  return socket;
});
await Promise.all(Array.from({ length: clients }, (_, client) => beGreedy(client)));
idle.forEach((socket) => socket.destroy());
agent.destroy();
process.send?.(outcome);
