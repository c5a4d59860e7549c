import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Test } from '@nestjs/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { parseNamespaceId, type IsolationLevel, type NamespaceId, type TenantPolicy } from '@palisade/domain';
import type { BackendDriver, BackendDriverClass, ScopedClient } from '../src/backends/backend-driver.js';
import { Isolation } from '../src/isolation.js';
import { IsolationModule } from '../src/isolation.module.js';
import { IsolationSessions } from '../src/isolation-sessions.js';
import { IsolationPolicy } from '../src/policy/isolation-policy.js';
import type { SessionId } from '../src/sessions/session-id.js';
import type { Credentials } from '../src/pools/connection-driver.js';
import { NamespacePools } from '../src/pools/namespace-pools.js';
import { NamespaceRejectedError } from '../src/pools/pool.errors.js';
import type { PoolSettingsInput } from '../src/pools/pool-settings.js';
import { UsageService } from '../src/usage/usage.service.js';
import { RestartLoad, codeOf } from './support/restart-load.js';
import { SocketCounter } from './support/socket-counter.js';
import { Wire } from './support/wire.js';
import { waitUntil } from './support/wait-until.js';
import { WorkContext } from './support/work-context.js';

export const RED = parseNamespaceId('red');
export const GREEN = parseNamespaceId('green');

/** How a driver of the backend is to be configured. */
export interface DriverPlan {
  /** A port of this machine to connect to instead of the server's. */
  readonly port?: number;
  /** The namespaces that have a wrong password; `everybody`: one configuration for all, with a wrong password. */
  readonly rejected?: readonly NamespaceId[] | 'everybody';
  /** How long the driver waits for an answer; by default as long as it does by itself. */
  readonly answerMs?: number;
}

/** Where packets can be dropped. */
export interface Path {
  /** From now on nothing gets through, and nobody is told. */
  stop(): void;
  resume(): void;
}

/** A backend with a server of the suite's own, at which the namespaces `red` and `green` can log in. */
export interface BackendUnderTest<C, S extends ScopedClient> extends AsyncDisposable {
  readonly driverClass: BackendDriverClass<C, S>;
  /** A driver whose configuration is by namespace, unless everybody is rejected. */
  createDriver(plan?: DriverPlan): BackendDriver<C, S>;
  /** What a session may bring: one that the server accepts, and one with a wrong password. */
  readonly credentials: { readonly right: Credentials; readonly wrong: Credentials };
  /** Exchanges something with the server. */
  ask(client: S): Promise<unknown>;
  /** Something that takes until it is interrupted. */
  wait(client: S): Promise<unknown>;
  /** A port through which the server can be reached, or the server itself when it would send clients elsewhere. */
  readonly path: { readonly port: number } | Path;
  /** Kills the server. */
  stop(): Promise<void>;
  /** Starts it again on the same port. */
  start(): Promise<void>;
}

const { signal: NEVER } = new AbortController();
const GONE = new Error('the caller has gone');
const OUTAGE_MS = 1_500;
const ANSWER_MS = 500;
const CAP = 3;
const SOON_MS = 5_000;

/** What the library relies on in every backend. A new backend starts from here. */
export function describeBackendContract<C, S extends ScopedClient>(
  name: string,
  create: () => Promise<BackendUnderTest<C, S>>,
): void {
  let backend: BackendUnderTest<C, S>;
  let driver: BackendDriver<C, S>;
  let sockets: SocketCounter;

  beforeAll(async () => {
    backend = await create();
  }, 120_000);

  afterAll(async () => {
    await backend[Symbol.asyncDispose]();
  });

  beforeEach(() => {
    driver = backend.createDriver();
    sockets = new SocketCounter();
  });

  afterEach(async () => {
    sockets[Symbol.dispose]();
    await waitUntil(() => sockets.open === 0, 'no socket is left', SOON_MS);
  });

  const rejectionOf = (attempt: Promise<unknown>) =>
    attempt.then(
      () => undefined,
      (reason: unknown) => reason,
    );
  const ask = async (connection: C, namespace: NamespaceId, by = driver) => {
    await using client = by.scope(connection, namespace, new WorkContext());
    await backend.ask(client);
  };
  const createPools = (settings: Partial<PoolSettingsInput> = {}, own = driver) =>
    new NamespacePools<C>({
      name,
      driver: own,
      isMultiplexed: own.isMultiplexed === true,
      maxTotal: CAP,
      ...settings,
    });

  describe(`the driver of ${name}`, () => {
    it('connects, and has closed every socket when close resolves', async () => {
      const connection = await driver.connect(RED, NEVER);
      expect(driver.isUsable(connection)).toBe(true);
      await ask(connection, RED);
      await driver.close(connection);
      expect([driver.isUsable(connection), sockets.open]).toEqual([false, 0]);
    });

    it('closes a connection twice', async () => {
      const connection = await driver.connect(RED, NEVER);
      await Promise.all([driver.close(connection), driver.close(connection)]);
      await expect(driver.close(connection)).resolves.toBeUndefined();
    });

    it('fails what is under way on a connection that is closed', async () => {
      const connection = await driver.connect(RED, NEVER);
      const client = driver.scope(connection, RED, new WorkContext());
      const waiting = rejectionOf(backend.wait(client));
      await sleep(100); // what waits reaches the server
      await driver.close(connection);
      expect(await waiting).toBeInstanceOf(Error);
      await client[Symbol.asyncDispose]();
    });

    it('finds no fault with the namespace when the server is unreachable', async () => {
      const unreachable = backend.createDriver({ port: 1 });
      expect(await rejectionOf(unreachable.connect(RED, NEVER))).not.toBeInstanceOf(NamespaceRejectedError);
    });

    it('begins no attempt that was aborted before', async () => {
      await expect(driver.connect(RED, AbortSignal.abort(GONE))).rejects.toBe(GONE);
      expect(sockets.opened).toBe(0);
    });

    it('ends an attempt that is aborted while the server is silent', async () => {
      const accepted = new Set<Socket>();
      await using server = createServer((socket) => accepted.add(socket.on('error', () => {}))).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const attempt = new AbortController();
      const { port } = server.address() as { readonly port: number };
      const connecting = rejectionOf(backend.createDriver({ port }).connect(RED, attempt.signal));
      await waitUntil(() => accepted.size > 0, 'the server is asked', SOON_MS);
      attempt.abort(GONE);
      expect(await connecting).toBe(GONE);
      accepted.forEach((socket) => socket.destroy());
    });

    it('logs in with what a session brings', async () => {
      const connection = await backend.createDriver({ rejected: [RED] }).connect(RED, NEVER, backend.credentials.right);
      await expect(ask(connection, RED)).resolves.toBeUndefined();
      await driver.close(connection);
    });

    it.each<[string, () => Promise<unknown>]>([
      ['what a session brings', () => driver.connect(RED, NEVER, backend.credentials.wrong)],
      ['the login of a namespace', () => backend.createDriver({ rejected: [RED] }).connect(RED, NEVER)],
    ])('says that the namespace was rejected when that is because of %s', async (_, connect) => {
      const error = await rejectionOf(connect());
      expect(error).toBeInstanceOf(NamespaceRejectedError);
      expect(String(error)).not.toContain(backend.credentials.wrong['password']);
    });

    it('does not take the wrong login of everybody for the fault of one namespace', async () => {
      const error = await rejectionOf(backend.createDriver({ rejected: 'everybody' }).connect(RED, NEVER));
      expect(error).toBeInstanceOf(Error);
      expect(error).not.toBeInstanceOf(NamespaceRejectedError);
    });

    it('lets a session choose nothing but its login', async () => {
      const credentials = { ...backend.credentials.right, host: 'example.com' };
      await expect(driver.connect(RED, NEVER, credentials)).rejects.toThrow(TypeError);
      expect(sockets.opened).toBe(0);
    });

    it('tells once that a connection is lost, and fails what is under way', async () => {
      const connection = await driver.connect(RED, NEVER);
      let losses = 0;
      driver.onLost?.(connection, () => losses++);
      const client = driver.scope(connection, RED, new WorkContext());
      sockets.cut();
      await waitUntil(() => losses > 0, 'the loss is told', SOON_MS);
      expect([losses, driver.isUsable(connection)]).toEqual([1, false]);
      await client[Symbol.asyncDispose]();
      await driver.close(connection);
    });
  });

  describe(`the pools of ${name}`, () => {
    it('hold back only the namespace that the backend rejects', async () => {
      const pools = createPools({}, backend.createDriver({ rejected: [RED] }));
      const failure = await rejectionOf(pools.acquire(RED));
      expect(failure).toMatchObject({ code: 'BACKEND_UNAVAILABLE', cause: { code: 'NAMESPACE_REJECTED' } });
      using lease = await pools.acquire(GREEN);
      await ask(lease.connection, GREEN);
      expect([pools.find(RED)?.failures ?? 1, pools.snapshot().failures]).toEqual([1, 0]);
      lease.release();
      await pools.destroy();
    });

    it('keep the cap, and give no connection of one namespace to another', async () => {
      const pools = createPools({ maxPerNamespace: 2, evictionGraceMs: 0 });
      const owners = new Map<C, Set<NamespaceId>>();
      const job = async (namespace: NamespaceId) => {
        using lease = await pools.acquire(namespace);
        owners.set(lease.connection, (owners.get(lease.connection) ?? new Set()).add(namespace));
        await ask(lease.connection, namespace);
      };
      await Promise.all(Array.from({ length: 60 }, (_, index) => job(index % 3 === 0 ? RED : GREEN)));
      expect([...owners.values()].filter((namespaces) => namespaces.size > 1)).toEqual([]);
      expect(sockets.peak).toBeLessThanOrEqual(CAP);
      await pools.destroy();
    });

    it('never give a connection again that was lost', async () => {
      const pools = createPools();
      const lease = await pools.acquire(RED);
      const { connection } = lease;
      sockets.cut();
      await waitUntil(() => !driver.isUsable(connection), 'the loss is noticed', SOON_MS);
      lease.release();
      using next = await pools.acquire(RED);
      expect(next.connection).not.toBe(connection);
      await ask(next.connection, RED);
      next.release();
      await pools.destroy();
    });

    it('give up a connection whose packets are dropped, say so, and use its place again', async () => {
      await using wire = await Wire.open('port' in backend.path ? backend.path.port : 1);
      const [path, port] = 'port' in backend.path ? [wire, wire.port] : [backend.path, undefined];
      const own = backend.createDriver({ answerMs: ANSWER_MS, ...(port !== undefined && { port }) });
      const pools = createPools({ maxTotal: 1 }, own);
      const lease = await pools.acquire(RED);
      const { connection } = lease;
      await ask(connection, RED, own);
      path.stop();
      try {
        let failure: unknown;
        while (failure === undefined) {
          // A server that is stopped may answer some more first.
          failure = await rejectionOf(ask(connection, RED, own));
        }
        expect([failure, own.isUsable(connection)]).toEqual([
          expect.objectContaining({ code: 'BACKEND_TIMEOUT' }),
          false,
        ]);
        lease.release();
      } finally {
        path.resume();
      }
      using next = await pools.acquire(GREEN);
      expect(next.connection).not.toBe(connection);
      await ask(next.connection, GREEN, own);
      next.release();
      await pools.destroy();
    });

    it('close what is idle at once when they drain, and what is leased when it is released', async () => {
      const pools = createPools();
      const lease = await pools.acquire(RED);
      (await pools.acquire(GREEN)).release();
      const draining = pools.drain(60_000);
      await waitUntil(() => pools.snapshot().closing === 0, 'what is idle is closed', SOON_MS);
      await ask(lease.connection, RED);
      lease.release();
      await draining;
      expect([pools.state, sockets.open]).toEqual(['destroyed', 0]);
    });

    it('close what is leased under its holder when they are destroyed', async () => {
      const pools = createPools();
      const { connection } = await pools.acquire(RED);
      await pools.destroy();
      expect([driver.isUsable(connection), sockets.open]).toEqual([false, 0]);
    });

    it('open connections that are nobody else’s under the same cap, and close them on release', async () => {
      const pools = createPools({ maxTotal: 2 });
      const shared = await pools.acquire(RED);
      const own = await pools.acquireOwn(RED, { credentials: backend.credentials.right });
      await ask(own.connection, RED);
      expect(own.connection).not.toBe(shared.connection);
      const waiting = pools.acquireOwn(RED, { credentials: backend.credentials.right });
      await waitUntil(() => pools.snapshot().queued === 1, 'the third waits', SOON_MS);
      own.release();
      using next = await waiting;
      await ask(next.connection, RED);
      expect(driver.isUsable(shared.connection)).toBe(true);
      shared.release();
      next.release();
      await pools.destroy();
    });

    it('find no fault with a namespace whose session brings a wrong login', async () => {
      const pools = createPools();
      const failure = await rejectionOf(pools.acquireOwn(RED, { credentials: backend.credentials.wrong }));
      expect(failure).toMatchObject({ code: 'BACKEND_UNAVAILABLE', cause: { code: 'NAMESPACE_REJECTED' } });
      using lease = await pools.acquire(RED);
      await ask(lease.connection, RED);
      lease.release();
      await pools.destroy();
    });

    it('reject clearly while the server restarts, try to connect rarely, and recover', async () => {
      const pools = createPools({ maxTotal: 10, acquireTimeoutMs: 1_000 });
      const load = new RestartLoad(pools, [RED, GREEN], ask);
      await waitUntil(() => load.jobs > 100, 'jobs are done');
      await backend.stop();
      const before = pools.snapshot().counters.failed;
      const rejected = load.rejections.length;
      await sleep(OUTAGE_MS); // the outage lasts
      const attempts = pools.snapshot().counters.failed - before;
      await waitUntil(() => load.rejections.length > rejected + 50, 'clients are rejected');
      await backend.start();
      const { jobs } = load;
      await waitUntil(() => load.jobs > jobs + 100, 'jobs are done again');
      await load.stop();
      await pools.destroy();
      // Those whose time was up before the outage was noticed timed out.
      expect(new Set(load.rejections.map(codeOf)).difference(new Set(['POOL_TIMEOUT']))).toEqual(
        new Set(['BACKEND_UNAVAILABLE']),
      );
      // As many as there were connections when all were lost; then one per pause, which doubles.
      expect(attempts).toBeLessThanOrEqual(10 + 6);
    });
  });

  describe(`work over ${name}`, () => {
    const start = async () => {
      const settings = {
        isolation_level: 'namespace',
        connection_pools: { backend: { connections_per_namespace: 1, max_total_connections: 2 } },
      };
      const imports = [IsolationModule.forRoot({ settings, backends: { backend: driver } })];
      const module = await Test.createTestingModule({ imports }).compile();
      await module.init();
      const [isolation, usage] = [module.get(Isolation), module.get(UsageService)];
      const run = <T>(work: (client: S) => Promise<T>, signal?: AbortSignal) =>
        isolation.run({ namespace: RED, clientId: 'ann' }, 'backend', backend.driverClass, work, { signal });
      return { run, usage, close: () => module.close() };
    };

    it('is accounted for, and leaves the connection as it was', async () => {
      const { run, usage, close } = await start();
      await run((client) => backend.ask(client));
      await expect(run(() => Promise.reject(GONE))).rejects.toBe(GONE);
      await run((client) => backend.ask(client));
      expect(usage.find(RED)).toMatchObject({ requests: 3, errors: 1, bytesHeld: 0 });
      expect(usage.connections().pools[0]?.counters).toMatchObject({ opened: 1, discarded: 0 });
      await close();
    });

    it('ends when its caller goes, and so does what waits behind it', async () => {
      const { run, usage, close } = await start();
      const [running, waiting] = [new AbortController(), new AbortController()];
      const hasBegun = Promise.withResolvers<void>();
      const first = rejectionOf(
        run(async (client) => {
          const interrupted = backend.wait(client);
          hasBegun.resolve();
          await interrupted;
        }, running.signal),
      );
      await hasBegun.promise;
      const second = rejectionOf(run((client) => backend.ask(client), waiting.signal));
      await waitUntil(() => usage.find(RED)?.queued === 1, 'the second waits', SOON_MS);
      waiting.abort(GONE);
      expect(await second).toBe(GONE);
      running.abort(GONE);
      expect(await first).toBe(GONE);
      await run((client) => backend.ask(client));
      expect(usage.find(RED)).toMatchObject({ requests: 3, aborted: 2, bytesHeld: 0 });
      await close();
    });

    it('follows the level of its namespace when that changes, and leaves nothing behind', async () => {
      const settings = { isolation_level: 'namespace', connection_pools: { backend: { max_total_connections: 2 } } };
      const imports = [IsolationModule.forRoot({ settings, backends: { backend: driver }, proxyPool: 'standard' })];
      const module = await Test.createTestingModule({ imports }).compile();
      await module.init();
      const [isolation, policy] = [module.get(Isolation), module.get(IsolationPolicy)];
      const { manager } = module.get(IsolationSessions);
      const apply = (revision: number, level: IsolationLevel) => {
        const red: TenantPolicy = { tenant_id: 'red', namespaces: [RED], isolation_level: level };
        policy.apply({ revision, configuration: 'c', pool: 'standard', settings: {}, tenants: [red] });
      };
      const caller = { namespace: RED, clientId: 'ann' };
      const run = (session?: SessionId) =>
        isolation.run({ ...caller, ...(session && { session }) }, 'backend', backend.driverClass, (client) =>
          backend.ask(client),
        );
      apply(1, 'namespace');
      await run();
      apply(2, 'session');
      await waitUntil(() => sockets.open === 0, 'what the namespace shared is closed', SOON_MS);
      await expect(run()).rejects.toMatchObject({ code: 'SESSION_REQUIRED' });
      const { id } = await manager.open(caller, { credentials: { backend: backend.credentials.right } });
      await run(id);
      apply(3, 'namespace');
      await run(id);
      await run();
      policy.change({ from: 3, revision: 4, tenants: [], removed: ['red'] });
      await waitUntil(() => sockets.open === 0, 'session and pool are closed', SOON_MS);
      await expect(run(id)).rejects.toMatchObject({ code: 'NAMESPACE_NOT_SERVED' });
      await module.close();
    });
  });
}
