import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { Backoff, pause } from '@palisade/async';
import { Client } from 'pg';
import { messageOf } from '@palisade/domain';
import { findBinaries } from './binaries.js';
import { makeDirectory, prepareData, ROLE, serverPaths } from './data-directory.js';
import { lockDirectory } from './directory-lock.js';
import { findServerAccount } from './run-program.js';
import { startServer, stopServer, type ServerSetup } from './server-process.js';

export interface EmbeddedPostgresOptions {
  /** Where data, password, lock and log are kept; created when absent. */
  readonly directory: string;
  /** Called with one sentence when the server crashes, is restarted, or cannot be restarted. */
  readonly onEvent?: (message: string) => void;
}

/** A running PostgreSQL server that belongs to this process. */
export interface EmbeddedPostgres {
  /** URL of its database, with the password. Restarts do not change it. */
  readonly url: string;
  readonly port: number;
  /** Current process id of the server. */
  readonly pid: number | undefined;
  /** Ends every session and the server; what was committed is on disk. Stopping twice is harmless. */
  stop(): Promise<void>;
}

const DATABASE = 'palisade';
const RESTART_DELAYS = { minMs: 100, maxMs: 5_000, random: Math.random };

/**
 * Starts a PostgreSQL server on 127.0.0.1 and a free port, over the data in the directory, which is created the first time.
 * Until it is stopped it is restarted, on the same port, whenever it ends by itself. Leftovers of a killed service or server
 * are removed first, so the same call recovers from either.
 *
 * @throws {EmbeddedPostgresUnavailableError} when this platform cannot run one
 * @throws {DirectoryInUseError} when another living process uses the directory
 * @throws {Error} when the server does not start on existing data
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const paths = serverPaths(options.directory);
  const binaries = await findBinaries();
  const account = await findServerAccount();
  await makeDirectory(paths, account);
  const lock = await lockDirectory(paths);
  let server: SupervisedServer | undefined;
  try {
    const password = await prepareData(paths, binaries, account);
    const setup: ServerSetup = { paths, binaries, account, port: await findFreePort(), password };
    const child = await startServer(setup);
    server = new SupervisedServer(setup, child, lock, options.onEvent);
    await createDatabase(server.url);
    return server;
  } catch (error) {
    await (server === undefined ? lock.release() : server.stop());
    throw error;
  }
}

/** running ⇄ restarting → stopped; `stop` leads to stopped from either. */
class SupervisedServer implements EmbeddedPostgres {
  readonly url: string;
  readonly port: number;
  private readonly stopping = new AbortController();
  private stopped: Promise<void> | undefined;
  private readonly supervision: Promise<void>;
  private readonly stopAtExit = (): void => void this.child.kill('SIGINT');

  constructor(
    private readonly setup: ServerSetup,
    private child: ChildProcess,
    private readonly lock: { release(): Promise<void> },
    private readonly onEvent: (message: string) => void = () => {},
  ) {
    this.port = setup.port;
    this.url = `postgres://${ROLE}:${setup.password}@127.0.0.1:${setup.port}/${DATABASE}`;
    this.supervision = this.supervise();
    // A process that ends without `stop` should not leave the server running.
    process.once('exit', this.stopAtExit);
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  stop(): Promise<void> {
    this.stopped ??= this.stopOnce();
    return this.stopped;
  }

  private async stopOnce(): Promise<void> {
    this.stopping.abort();
    await stopServer(this.setup, this.child);
    await this.supervision;
    // A restart that was under way may have brought another one up.
    await stopServer(this.setup, this.child);
    process.removeListener('exit', this.stopAtExit);
    await this.lock.release();
  }

  private async supervise(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      if (this.child.exitCode === null && this.child.signalCode === null) {
        await once(this.child, 'exit');
      }
      if (!this.stopping.signal.aborted) {
        this.onEvent(`the embedded PostgreSQL server ended (${this.child.signalCode ?? this.child.exitCode})`);
        await this.restart();
      }
    }
  }

  private async restart(): Promise<void> {
    const backoff = new Backoff(RESTART_DELAYS);
    while (!this.stopping.signal.aborted) {
      try {
        this.child = await startServer(this.setup);
        this.onEvent('the embedded PostgreSQL server is running again');
        return;
      } catch (error) {
        this.onEvent(messageOf(error));
        await pause(backoff.next(), this.stopping.signal);
      }
    }
  }
}

async function findFreePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function createDatabase(url: string): Promise<void> {
  const maintenance = new URL(url);
  maintenance.pathname = '/postgres';
  const client = new Client({ connectionString: maintenance.href });
  // When the server stops meanwhile, the statement fails as well.
  client.on('error', () => {});
  await client.connect();
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [DATABASE]);
    if (rowCount === 0) {
      await client.query(`create database ${DATABASE}`);
    }
  } finally {
    await client.end();
  }
}
