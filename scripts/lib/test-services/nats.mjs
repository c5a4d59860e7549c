import { startOnFreePorts } from './free-ports.mjs';
import { Server } from './server.mjs';

/**
 * Starts a NATS server with JetStream, which keeps its streams in `directory`; `args` are more arguments of nats-server
 * (`--config` for accounts and users). Resolves to the Server, with its `url` and `port`.
 */
export function startNats({ program, directory, args = [] }) {
  return startOnFreePorts(1, async ([port]) => {
    const address = ['--addr', '127.0.0.1', '--port', String(port)];
    const server = new Server(
      program,
      [...address, '--jetstream', '--store_dir', directory, ...args],
      'Server is ready',
    );
    await server.start();
    return Object.assign(server, { url: `nats://127.0.0.1:${port}`, port });
  });
}
