import { join } from 'node:path';
import { startOnFreePorts } from './free-ports.mjs';
import { Server } from './server.mjs';

/**
 * Starts a Prometheus with the configuration `prometheus.yaml` of `directory`, where it also keeps its data; `args` are
 * more arguments of prometheus. Resolves to the Server, with its `url` and `port`.
 */
export function startPrometheus({ program, directory, args = [] }) {
  return startOnFreePorts(1, async ([port]) => {
    const options = [
      `--config.file=${join(directory, 'prometheus.yaml')}`,
      `--storage.tsdb.path=${join(directory, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ];
    const server = new Server(program, [...options, ...args], 'Server is ready to receive web requests');
    await server.start();
    return Object.assign(server, { url: `http://127.0.0.1:${port}`, port });
  });
}
