/** A process: clients that make one request after the other until the time is over, and some that read nothing. */
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import process from 'node:process';

/**
 * @typedef {object} Greed
 * @property {string} base of all paths
 * @property {Record<string, string>} headers
 * @property {readonly Question[]} questions
 * @property {string} [idlePath] of a long answer
 * @property {number} clients
 * @property {number} idleClients
 * @property {number} seconds
 *
 * @typedef {{ path: string, body?: object }} Question with a body it is a POST
 */

const { base, headers, questions, idlePath, clients, idleClients, seconds } = /** @type {Greed} */ (
  JSON.parse(process.argv[2] ?? '')
);
const agent = new Agent({ keepAlive: true, maxSockets: Infinity });
const signal = AbortSignal.timeout(seconds * 1000);
const outcome = { answers: 0, busy: 0, rejected: 0, failed: 0, bytes: 0, lastRejection: '' };

/** @param {Question} question */
async function ask({ path, body }) {
  const text = body && JSON.stringify(body);
  const content = text && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
  const method = text === undefined ? 'GET' : 'POST';
  const outgoing = request(base + path, { agent, method, headers: { ...headers, ...content }, signal }).end(text);
  const [response] = await once(outgoing, 'response');
  const name = nameOf(response.statusCode);
  outcome[name] += 1;
  if (name === 'rejected') {
    outcome.lastRejection = `${path} ${response.statusCode}`;
  }
  for await (const chunk of response) {
    outcome.bytes += chunk.length;
  }
}

/** @param {number} status */
function nameOf(status) {
  if (status === 429 || status === 503) {
    return 'busy';
  }
  return status < 400 ? 'answers' : 'rejected';
}

/** @param {number} client */
async function beGreedy(client) {
  for (let turn = client; !signal.aborted; turn++) {
    try {
      await ask(questions[turn % questions.length]);
    } catch {
      outcome.failed += signal.aborted ? 0 : 1;
    }
  }
}

const { hostname, port, pathname } = new URL(base);
const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
const idle = Array.from({ length: idlePath === undefined ? 0 : idleClients }, () => {
  const socket = connect(Number(port), hostname).pause();
  socket.on('error', () => {});
  socket.write(`GET ${pathname}${idlePath} HTTP/1.1\r\nHost: ${hostname}\r\n${lines.join('')}\r\n`);
  return socket;
});
await Promise.all(Array.from({ length: clients }, (_, client) => beGreedy(client)));
idle.forEach((socket) => socket.destroy());
agent.destroy();
process.send?.(outcome);
