import { startOnFreePorts } from './free-ports.mjs';
import { Server } from './server.mjs';

/**
 * Starts a Redis server that keeps nothing, unless `args`, more arguments of redis-server, say otherwise.
 * Resolves to the Server, with its `url` and `port`.
 */
export function startRedis({ program, directory, args = [] }) {
  return startOnFreePorts(1, async ([port]) => {
    const address = ['--bind', '127.0.0.1', '--port', String(port), '--dir', directory];
    const server = new Server(
      program,
      [...address, '--save', '', '--appendonly', 'no', ...args],
      'Ready to accept connections',
    );
    await server.start();
    return Object.assign(server, { url: `redis://127.0.0.1:${port}`, port });
  });
}
