import { resolve } from 'node:path';
import process from 'node:process';
import { ROOT } from './run.mjs';

const NO_DATABASE = { env: {}, stop: async () => {} };

/**
 * One embedded PostgreSQL server for both services, unless the environment names a store. `env` has what services need to
 * reach it: its URL contains a password and is never printed. If the server cannot run, each service keeps everything in
 * memory, with a warning; in production the services do not start then.
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
          `WARNING: ${error.message}; each service keeps its data in memory instead: they do not see each other's data, and it WILL BE LOST at the end.`,
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
