/**
 * Proxies in a process of their own: one for each name given. Each answers with its name; the parent is told the ports, and
 * can have one reset all its connections and stop listening, and come back on the same port, and can ask how often each was
 * asked for its health.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import process from 'node:process';

const HEALTH_PATH = '/health/ready';

class Proxy {
  #server;
  #sockets = new Set();
  #name;
  port = 0;
  checks = 0;

  constructor(name) {
    this.#name = name;
  }

  async start() {
    const answer = ({ url }, response) => {
      this.checks += Number(url === HEALTH_PATH);
      setImmediate(() => response.end(this.#name));
    };
    this.#server = createServer({ keepAliveTimeout: 600_000 }, answer).on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    this.#server.listen(this.port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.port = this.#server.address().port;
  }

  kill() {
    this.#server.close();
    this.#sockets.forEach((socket) => socket.resetAndDestroy());
  }
}

const proxies = new Map(process.argv.slice(2).map((name) => [name, new Proxy(name)]));
const acts = { kill: (proxy) => proxy.kill(), revive: (proxy) => proxy.start(), count: ({ checks }) => checks };
process.on('message', async ({ name, act }) => {
  process.send({ done: act, answer: await acts[act](proxies.get(name)) });
});
process.once('disconnect', () => process.exit());
await Promise.all([...proxies.values()].map((proxy) => proxy.start()));
process.send({ ports: Object.fromEntries([...proxies].map(([name, { port }]) => [name, port])) });
