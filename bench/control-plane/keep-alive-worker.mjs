/** Clients that keep their connections and never try again; runs until it is told to stop, then tells what it has met. */
import { Agent, request } from 'node:http';
import process from 'node:process';

const [port, connections] = process.argv.slice(2, 4).map(Number);
const namespace = process.argv[4];
const agent = new Agent({ keepAlive: true, maxSockets: connections });
const headers = { 'X-Palisade-Namespace': namespace };
const counts = { succeeded: 0, failed: 0 };
const stopping = new AbortController();
process.once('message', () => stopping.abort());

function send() {
  const { promise, resolve } = Promise.withResolvers();
  request({ host: '127.0.0.1', port, agent, headers }, (response) => {
    response.resume();
    response.once('end', () => resolve(response.statusCode === 200));
    response.once('error', () => resolve(false));
  })
    .once('error', () => resolve(false))
    .end();
  return promise;
}

async function work() {
  while (!stopping.signal.aborted) {
    counts[(await send()) ? 'succeeded' : 'failed'] += 1;
  }
}

await Promise.all(Array.from({ length: connections }, work));
agent.destroy();
process.send(counts);
