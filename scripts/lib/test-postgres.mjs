import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

/** The PostgreSQL server for tests: the one that PALISADE_TEST_POSTGRES_URL names, else one of this run's own. `{ url, stop() }` */
export async function startTestPostgres() {
  const given = process.env.PALISADE_TEST_POSTGRES_URL;
  if (given) {
    return { url: given, stop: async () => {} };
  }
  const { startEmbeddedPostgres } = await import('../../dist/libs/storage/src/embedded/start-embedded-postgres.js');
  const directory = mkdtempSync(join(tmpdir(), 'palisade-test-'));
  // Run by root, the server runs as another user.
  chmodSync(directory, 0o711);
  const removeDirectory = () => rmSync(directory, { recursive: true, force: true });
  try {
    const server = await startEmbeddedPostgres({ directory: join(directory, 'postgres'), onEvent: console.error });
    const stop = async () => {
      await server.stop();
      removeDirectory();
    };
    return { url: server.url, stop };
  } catch (error) {
    removeDirectory();
    throw error;
  }
}
