import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile } from 'node:fs/promises';
import { Deadline, pause } from '@palisade/async';
import { Client } from 'pg';
import type { PostgresBinaries } from './binaries.js';
import { ROLE, type ServerPaths } from './data-directory.js';
import { runProgram, type ServerAccount, serverEnvironment } from './run-program.js';
import { findServerProcesses, removeForeignLock } from './server-processes.js';

/** What it takes to start a server. */
export interface ServerSetup {
  readonly paths: ServerPaths;
  readonly binaries: PostgresBinaries;
  readonly account: ServerAccount | undefined;
  readonly port: number;
  readonly password: string;
}

/** Recovery after a crash replays the log since the last checkpoint. */
const START_TIMEOUT_MS = 120_000;
const STOP_TIMEOUT_SECONDS = 30;
const POLL_MS = 25;

const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  // An acknowledged write is on disk, whatever the service's environment or a configuration file says.
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  // Failed statements may contain personal data, and have no place in the log.
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
  // Short statements gain nothing from parallel workers, and containers have little shared memory.
  max_parallel_workers_per_gather: '0',
  jit: 'off',
};

/**
 * Starts the server and waits until it answers. An earlier server on the directory that outlived its service is stopped
 * first.
 *
 * @throws {Error} with the end of the server's log when it does not start
 */
export async function startServer(setup: ServerSetup): Promise<ChildProcess> {
  await stopLeftovers(setup);
  const child = await spawnServer(setup);
  using deadline = new Deadline(START_TIMEOUT_MS);
  while (!(await isReady(setup))) {
    if (hasExited(child) || deadline.hasPassed) {
      child.kill('SIGQUIT');
      const log = await readFile(setup.paths.log, 'utf8').catch(() => '');
      throw new Error(`the embedded PostgreSQL server did not start: ${log.trim().slice(-2000)}`);
    }
    await pause(POLL_MS, deadline.signal);
  }
  return child;
}

/** Ends sessions, writes a checkpoint and waits until the server is gone. */
export async function stopServer(setup: ServerSetup, child: ChildProcess): Promise<void> {
  if (hasExited(child)) {
    return;
  }
  const exited = once(child, 'exit');
  await requestStop(setup).catch(() => child.kill('SIGQUIT'));
  await exited;
}

function hasExited({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

async function spawnServer({ paths, binaries, account, port }: ServerSetup): Promise<ChildProcess> {
  const settings = Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const log = await open(paths.log, 'w', 0o600);
  try {
    const child = spawn(binaries.postgres, ['-D', paths.data, '-p', String(port), ...settings], {
      ...account,
      cwd: '/',
      env: serverEnvironment(),
      // In its own session: otherwise a Ctrl-C meant for the service would stop the server first.
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
    });
    await once(child, 'spawn');
    return child;
  } finally {
    await log.close();
  }
}

async function isReady({ port, password }: ServerSetup): Promise<boolean> {
  const client = new Client({
    host: '127.0.0.1',
    port,
    user: ROLE,
    password,
    database: 'postgres',
    connectionTimeoutMillis: 5_000,
  });
  // A server that is starting or stopping may drop the connection at any moment.
  client.on('error', () => {});
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}

async function stopLeftovers(setup: ServerSetup): Promise<void> {
  const { data } = setup.paths;
  if ((await findServerProcesses(data)).length > 0) {
    // Fails when only the children of a killed server are left; they end by themselves.
    await requestStop(setup).catch(() => undefined);
    await waitForNoProcesses(data);
  }
  await removeForeignLock(data);
}

async function waitForNoProcesses(dataDirectory: string): Promise<void> {
  using deadline = new Deadline(STOP_TIMEOUT_SECONDS * 1000);
  for (let left = await findServerProcesses(dataDirectory); left.length > 0;) {
    if (deadline.hasPassed) {
      throw new Error(`processes ${left.join(', ')} still work in ${dataDirectory}; stop them first`);
    }
    await pause(POLL_MS, deadline.signal);
    left = await findServerProcesses(dataDirectory);
  }
}

async function requestStop({ paths, binaries, account }: ServerSetup): Promise<void> {
  const timeout = String(STOP_TIMEOUT_SECONDS);
  await runProgram(binaries.pg_ctl, ['stop', '-D', paths.data, '-m', 'fast', '-w', '-t', timeout], account);
}
