import { resolve } from 'node:path';
import process from 'node:process';
import { ROOT } from './run.mjs';

const NO_DATABASE = { env: {}, stop: async () => {} };

/**
 * One embedded PostgreSQL server for both services, unless the environment names a store. `env` is what services need to
 * reach it: its URL holds a password, and is never shown. Where the server cannot run, each service keeps everything in
 * memory, which is told; production refuses to start by itself.
 */
export async function startDatabase() {
  const { SVC_STORE_URL: url, SVC_STORE_URL_FILE: file, SVC_DATA_DIR: data, NODE_ENV: mode } = process.env;
  if (url || file || mode === 'production') {
    return NO_DATABASE;
  }
  const { startEmbeddedPostgres } = await import('../../dist/libs/storage/src/embedded/start-embedded-postgres.js');
  const directory = resolve(ROOT, data || '.palisade', 'postgres');
  try {
    const server = await startEmbeddedPostgres({ directory, onEvent: (message) => console.error(message) });
    return { env: { SVC_STORE_URL: server.url }, stop: () => server.stop() };
  } catch (error) {
    switch (error.code) {
      case 'EMBEDDED_POSTGRES_UNAVAILABLE':
        console.error(
          `WARNING: ${error.message}; each service keeps everything in memory instead: neither sees what the other knows, and it WILL BE LOST at the end.`,
        );
        return { ...NO_DATABASE, env: { SVC_STORE_URL: 'memory:' } };
      case 'DIRECTORY_IN_USE':
        throw new Error(
          `Process ${error.pid} uses the embedded database in ${directory}. Stop it, or set SVC_STORE_URL to the postgres:// URL of a server.`,
          { cause: error },
        );
      default:
        throw error;
    }
  }
}
