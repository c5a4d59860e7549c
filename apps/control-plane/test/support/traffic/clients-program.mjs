/**
 * Clients in a process of their own, each on a connection that it keeps, that send one request after the other and never
 * try again: `clients-program.mjs <port> <connections> <namespace>…`. The parent is told what they have met whenever it
 * asks; they end when it says so.
 */
import { Agent, request } from 'node:http';
import process from 'node:process';

const [port, connections, ...namespaces] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: Number(connections) });
const counts = { succeeded: 0, failures: {} };
const stopping = new AbortController();

function send(namespace) {
  const { promise, resolve } = Promise.withResolvers();
  const headers = { 'X-Palisade-Namespace': namespace };
  request({ host: '127.0.0.1', port, agent, headers }, (response) => {
    response.resume();
    response.once('end', () => resolve(response.statusCode === 200 ? undefined : `status ${response.statusCode}`));
    response.once('error', (error) => resolve(`answer: ${error.message}`));
  })
    .once('error', (error) => resolve(`request: ${error.message}`))
    .end();
  return promise;
}

async function work(first) {
  for (let at = first; !stopping.signal.aborted; at += 1) {
    const namespace = namespaces[at % namespaces.length];
    const failure = await send(namespace);
    if (failure === undefined) {
      counts.succeeded += 1;
    } else {
      const what = `${namespace}: ${failure}`;
      counts.failures[what] = (counts.failures[what] ?? 0) + 1;
    }
  }
}

const clients = Promise.all(Array.from({ length: Number(connections) }, (_, index) => work(index)));
process.on('message', async (message) => {
  if (message === 'stop') {
    stopping.abort();
    await clients;
  }
  process.send(counts);
});
process.once('disconnect', () => process.exit());
