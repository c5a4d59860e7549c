import { once } from 'node:events';
import { createServer } from 'node:net';

const MAX_ATTEMPTS = 3;

async function listen() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/** As many different ports of the loopback interface, on which nobody listens now. */
export async function findFreePorts(count) {
  const servers = await Promise.all(Array.from({ length: count }, listen));
  const ports = servers.map((server) => server.address().port);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}

/** Resolves to what `start(ports)` does; tries others when somebody else took one of the ports in the meantime. */
export async function startOnFreePorts(count, start) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await start(await findFreePorts(count));
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !/address already in use/i.test(error.message)) {
        throw error;
      }
    }
  }
}
