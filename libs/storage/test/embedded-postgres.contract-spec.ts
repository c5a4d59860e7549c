import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { parseProviderId, type Store } from '@palisade/domain';
import { Client } from 'pg';
import { findBinaries } from '../src/embedded/binaries.js';
import { findServerAccount } from '../src/embedded/run-program.js';
import { serverPaths } from '../src/embedded/data-directory.js';
import { startServer } from '../src/embedded/server-process.js';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../src/embedded/start-embedded-postgres.js';
import { openStore } from '../src/open-store.js';
import { PostgresStore } from '../src/postgres/postgres-store.js';
import { TestDirectory } from './support/test-directory.js';

const PROVIDER = parseProviderId('p1');
const TIMEOUT_MS = 180_000;

describe('embedded PostgreSQL', () => {
  let directory: string;
  let cleanUp: (() => Promise<unknown>)[];

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'palisade-embedded-'));
    // The server's account must be able to reach it.
    await chmod(directory, 0o755);
    cleanUp = [];
  });

  afterEach(async () => {
    for (const step of cleanUp.reverse()) {
      await step();
    }
    await rm(directory, { recursive: true, force: true });
  });

  async function start(onEvent?: (message: string) => void): Promise<EmbeddedPostgres> {
    const server = await startEmbeddedPostgres({ directory, onEvent });
    cleanUp.push(() => server.stop());
    return server;
  }

  it(
    'keeps what is stored from one start to the next',
    async () => {
      const first = await openStore(`embedded:${directory}`);
      await first.migrate();
      const user = await new TestDirectory(first, PROVIDER).createUser('u1');
      await first.close();

      const second = await openStore(`embedded:${directory}`);
      cleanUp.push(() => second.close());
      await second.check();
      expect(await new TestDirectory(second, PROVIDER).find('User', 'u1')).toEqual(user);
    },
    TIMEOUT_MS,
  );

  it(
    'listens on the loopback address only, demands the password, and keeps it to itself',
    async () => {
      const server = await start();
      const client = new Client({ connectionString: server.url });
      await client.connect();
      const { rows } = await client.query(
        `select current_setting('listen_addresses') as addresses, current_setting('unix_socket_directories') as sockets,
          current_setting('fsync') as fsync`,
      );
      await client.end();
      const wrong = new URL(server.url);
      wrong.password = 'wrong';

      expect(rows).toEqual([{ addresses: '127.0.0.1', sockets: '', fsync: 'on' }]);
      await expect(new Client({ connectionString: wrong.href }).connect()).rejects.toMatchObject({ code: '28P01' });
      expect((await stat(join(directory, 'password'))).mode & 0o777).toBe(0o600);
    },
    TIMEOUT_MS,
  );

  it(
    'rejects a second server on the directory',
    async () => {
      await start();

      await expect(startEmbeddedPostgres({ directory })).rejects.toMatchObject({
        code: 'DIRECTORY_IN_USE',
        pid: process.pid,
      });
    },
    TIMEOUT_MS,
  );

  it(
    'loses no acknowledged write when the server is killed, and comes back by itself at the same address',
    async () => {
      const isRunningAgain = Promise.withResolvers<void>();
      const server = await start((message) => {
        if (message === 'the embedded PostgreSQL server is running again') {
          isRunningAgain.resolve();
        }
      });
      const store = new PostgresStore(server.url);
      cleanUp.push(() => store.close());
      await store.migrate();
      const acknowledged = await createUsersUntilItFails(store, () => process.kill(server.pid ?? 0, 'SIGKILL'));

      const directory = new TestDirectory(store, PROVIDER);
      await untilAvailable(store);

      for (const id of acknowledged) {
        expect(await directory.find('User', id)).toBeDefined();
      }
      expect(acknowledged.length).toBeGreaterThan(50);
      await isRunningAgain.promise;
    },
    TIMEOUT_MS,
  );

  it(
    'takes over from a service that was killed, and stops the server that it left behind',
    async () => {
      const abandoned = await abandonServer(directory);

      const server = await start();

      expect(server.pid).not.toBe(abandoned);
      expect(() => process.kill(abandoned, 0)).toThrow('ESRCH');
      const client = new Client({ connectionString: server.url });
      await client.connect();
      expect((await client.query('select value from kept')).rows).toEqual([{ value: 'acknowledged' }]);
      await client.end();
    },
    TIMEOUT_MS,
  );

  it(
    'starts in spite of a lock file of the server that names a process of somebody else',
    async () => {
      await (await startEmbeddedPostgres({ directory })).stop();
      await writeFile(join(directory, 'data', 'postmaster.pid'), `${process.pid}\n${directory}/data\n`);

      await expect(start()).resolves.toBeDefined();
    },
    TIMEOUT_MS,
  );

  it(
    'makes the data again when making it was interrupted',
    async () => {
      await writeFile(join(directory, 'password'), 'never used');
      await writeFile(join(directory, 'data.unfinished'), 'half made');

      await expect(start()).resolves.toBeDefined();
    },
    TIMEOUT_MS,
  );

  it(
    'fails with what the server says when there is data that it cannot use',
    async () => {
      await (await startEmbeddedPostgres({ directory })).stop();
      const versionFile = join(directory, 'data', 'PG_VERSION');
      await writeFile(versionFile, '9.6\n');

      await expect(startEmbeddedPostgres({ directory })).rejects.toThrow('database files are incompatible with server');
      expect(await readFile(versionFile, 'utf8')).toBe('9.6\n');
    },
    TIMEOUT_MS,
  );
});

/** Leaves everything as a service that is killed does: the server runs on, and the lock names a dead process. Gives the server's id. */
async function abandonServer(directory: string): Promise<number> {
  const server = await startEmbeddedPostgres({ directory });
  const { port, url } = server;
  await server.stop();
  const setup = { paths: serverPaths(directory), binaries: await findBinaries(), account: await findServerAccount() };
  const { pid = 0 } = await startServer({ ...setup, port, password: new URL(url).password });
  await writeFile(setup.paths.lock, JSON.stringify({ pid: process.pid, startedAt: 'another-boot:1' }));
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(`create table kept as select 'acknowledged' as value`);
  await client.end();
  return pid;
}

/** Ids of the users whose creation was acknowledged; the server is killed after the hundredth. */
async function createUsersUntilItFails(store: Store, kill: () => void): Promise<string[]> {
  const directory = new TestDirectory(store, PROVIDER);
  const acknowledged: string[] = [];
  let isDown = false;
  const createSome = async (worker: number): Promise<void> => {
    for (let index = 0; !isDown; index++) {
      try {
        acknowledged.push((await directory.createUser(`w${worker}-${index}`)).id);
      } catch {
        isDown = true;
      }
      if (acknowledged.length === 100) {
        kill();
      }
    }
  };
  await Promise.all([1, 2, 3, 4].map(createSome));
  return acknowledged;
}

async function untilAvailable(store: Store): Promise<void> {
  for (;;) {
    try {
      await store.check();
      return;
    } catch {
      await setTimeout(50);
    }
  }
}
