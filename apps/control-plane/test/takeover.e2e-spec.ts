import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createScratchDatabase, type ScratchDatabase } from '../../../libs/storage/test/scratch-database.js';
import { loadBalancerSection, prepareHaproxy, runWhenConfigured } from './support/administered-haproxy.js';
import { ControlProcess } from './support/control-process.js';
import type { BalancerUnderTest } from './support/load-balancer/balancer-under-test.js';
import { EchoProxy } from './support/load-balancer/proxies.js';
import { until } from '../../../test/support/until.js';

const TIME_LIMIT_MS = 180_000;
const POOLS = ['standard', 'premium', 'trial'];
const LANES = 4;
/** All tenants of this file fit on one page. */
const MAX_TENANTS_PER_LANE = 50;

interface Leader {
  readonly holder: string;
  readonly epoch: number;
}

interface Version {
  readonly id: string;
  readonly version: number;
  readonly result: string;
}

/** Registers tenants and moves every third of them, on several connections, and remembers what was acknowledged. */
class Registrar {
  /** The pool of each tenant that is known to be registered. */
  readonly acknowledged = new Map<string, string>();
  private isStopped = false;
  private readonly lanes: Promise<unknown>;

  constructor(service: ControlProcess, prefix: string) {
    this.lanes = Promise.all(Array.from({ length: LANES }, (_, lane) => this.work(service, `${prefix}-${lane}`)));
  }

  /** Resolves when so many tenants are acknowledged. */
  untilAcknowledged(count: number): Promise<void> {
    return until(() => this.acknowledged.size >= count);
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await this.lanes;
  }

  /** Ends when it is told to, when the service does, or when there are enough. */
  private async work(service: ControlProcess, prefix: string): Promise<void> {
    for (let at = 0; at < MAX_TENANTS_PER_LANE && !this.isStopped; at += 1) {
      const name = `${prefix}-${at}`;
      try {
        await this.put(service, 'post', '/tenants', name, POOLS[at % 2] ?? '');
        if (at % 3 === 0) {
          await this.put(service, 'put', `/tenants/${name}`, name, 'trial');
        }
      } catch {
        return;
      }
    }
  }

  private async put(
    service: ControlProcess,
    method: 'post' | 'put',
    path: string,
    name: string,
    pool: string,
  ): Promise<void> {
    const body = { namespace_pattern: name, pool, ...(method === 'post' && { tenant_id: name }) };
    // Until the answer is there, it may be in either pool.
    this.acknowledged.delete(name);
    const { status } = await service.api(method, path, body);
    if (status !== 200 && status !== 201) {
      throw new Error(`${method} ${path} was answered with ${status}`);
    }
    this.acknowledged.set(name, pool);
  }
}

describe('replicas of the built service', () => {
  let database: ScratchDatabase;
  let stack: AsyncDisposableStack;
  let haproxy: BalancerUnderTest;
  let environment: Record<string, string>;

  beforeAll(async () => {
    database = await createScratchDatabase();
  });
  afterAll(() => database.drop());

  beforeEach(async () => {
    stack = new AsyncDisposableStack();
    const proxies = await Promise.all(POOLS.map(async (pool) => stack.use(await EchoProxy.start(pool))));
    haproxy = stack.use(await prepareHaproxy());
    const settings = {
      deployment: { model: 'multi_tenant' },
      proxy_pools: Object.fromEntries(POOLS.map((pool) => [pool, { replicas: 1, isolation_level: 'namespace' }])),
      load_balancer: loadBalancerSection(haproxy.settings),
      service_discovery: {
        type: 'static',
        proxies: proxies.map(({ id, port }) => ({ pool: id, endpoint: `127.0.0.1:${port}` })),
      },
      health_checks: { interval: '500ms', timeout: '500ms' },
    };
    const file = join(haproxy.directory, 'control-plane.yaml');
    await writeFile(file, JSON.stringify(settings));
    environment = { SVC_CONTROL_CONFIG: file, SVC_STORE_URL: database.url };
  });
  afterEach(() => stack.disposeAsync());

  const start = async (): Promise<ControlProcess> => stack.use(await ControlProcess.start(environment));

  const leaderOf = async (service: ControlProcess): Promise<Leader | undefined> =>
    (await service.api<{ leader?: Leader }>('get', '/status')).body.leader;
  const isLeader = async (service: ControlProcess): Promise<boolean> =>
    (await service.api<{ is_leader: boolean }>('get', '/status')).body.is_leader;

  /** Oldest first. */
  const versions = async (service: ControlProcess): Promise<Version[]> =>
    (await service.api<{ items: Version[] }>('get', '/loadbalancer/versions?limit=1000')).body.items.toReversed();

  /** Resolves when every namespace goes where the service says; what was acknowledged, it says. */
  const untilConverged = async (service: ControlProcess, acknowledged: ReadonlyMap<string, string>): Promise<void> => {
    const { body } = await service.api<{ items: { tenant_id: string; pool: string }[] }>('get', '/tenants?limit=1000');
    const said = new Map(body.items.map(({ tenant_id, pool }) => [tenant_id, pool]));
    expect([...acknowledged].filter(([name, pool]) => said.get(name) !== pool)).toEqual([]);
    let missing = [...said];
    await until(async () => {
      const routes = await Promise.all(missing.map(([name]) => haproxy.routeOf(name)));
      missing = missing.filter(([, pool], index) => routes[index] !== pool);
      return missing.length === 0;
    });
  };

  it(
    'take over from a leader that is killed between registrations, and no version is of two writers',
    async () => {
      const first = await start();
      await until(() => isLeader(first));
      const second = await start();
      await runWhenConfigured(haproxy);
      const before = await leaderOf(second);
      const registrar = new Registrar(first, 'one');
      await registrar.untilAcknowledged(60);
      await first.end('SIGKILL');
      await registrar.stop();
      const remote = new Registrar(second, 'two');
      await until(() => isLeader(second));
      await remote.untilAcknowledged(20);
      await remote.stop();

      await untilConverged(second, new Map([...registrar.acknowledged, ...remote.acknowledged]));
      const after = await leaderOf(second);
      expect(after?.epoch).toBeGreaterThan(before?.epoch ?? 0);
      expect(after?.holder).not.toBe(before?.holder);
      const recorded = await versions(second);
      const revisions = recorded.map(({ version }) => version);
      expect(revisions).toEqual(revisions.toSorted((a, b) => a - b));
      expect(recorded.at(-1)?.result).toBe('applied');
    },
    TIME_LIMIT_MS,
  );

  it(
    'bring HAProxy to what the registry says, whenever they were killed',
    async () => {
      const acknowledged = new Map<string, string>();
      let service = await start();
      await runWhenConfigured(haproxy);
      for (const [round, count] of [7, 48].entries()) {
        const registrar = new Registrar(service, `round-${round}`);
        await registrar.untilAcknowledged(count);
        await service.end('SIGKILL');
        await registrar.stop();
        registrar.acknowledged.forEach((pool, name) => acknowledged.set(name, pool));
        service = await start();
        await until(() => isLeader(service));
        await untilConverged(service, acknowledged);
      }
      // Nothing is left to be put right.
      const { body } = await service.api<{ method: string }>('get', '/loadbalancer/preview');
      expect(body.method).toBe('none');
    },
    TIME_LIMIT_MS,
  );

  it(
    'give leadership up when they are asked to end',
    async () => {
      const [first, second] = [await start(), await start()];
      await until(async () => (await isLeader(first)) || (await isLeader(second)));
      const [leading, waiting] = (await isLeader(first)) ? [first, second] : [second, first];
      await runWhenConfigured(haproxy);
      await leading.end('SIGTERM');
      await until(() => isLeader(waiting));
      const tenant = { tenant_id: 'late', namespace_pattern: 'late', pool: 'premium' };
      expect((await waiting.api('post', '/tenants', tenant)).status).toBe(201);
      await until(async () => (await haproxy.routeOf('late')) === 'premium');
    },
    TIME_LIMIT_MS,
  );
});
