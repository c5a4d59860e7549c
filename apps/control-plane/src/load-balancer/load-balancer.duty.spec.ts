import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  LeaseLostError,
  StoreUnavailableError,
  parseNamespacePattern,
  parseProxyId,
  parseTenantId,
  type HeldLease,
  type JsonObject,
  type OperationsStore,
} from '@palisade/domain';
import { StorePreparation } from '@palisade/platform';
import { MemoryStore } from '@palisade/storage';
import { STANDARD, routingSettings } from '../../test/support/routing-settings.js';
import type { LeaderTerm } from '../leadership/leader-duty.js';
import { Registry } from '../routing/table/registry.js';
import { RoutingTable } from '../routing/table/routing-table.js';
import { HostAddresses } from './host-addresses.js';
import { ConfigurationChange } from './configuration-change.js';
import { NotRunningError, RejectedStateError } from './load-balancer.errors.js';
import { ConfigurationFiles } from './files/configuration-files.js';
import { OWNERSHIP_MARK, hashFiles, renderFile, type Rendering } from './rendering/rendered-file.js';
import { LoadBalancerDriver, type ChangeMethod, type Drift } from './load-balancer-driver.js';
import { LoadBalancerDuty } from './load-balancer.duty.js';
import { LoadBalancer } from './load-balancer.js';
import type { ResolvedState } from './rendering/resolved-state.js';

const CHANGE = { actor: 'ann', at: new Date(0) };
const REPLICA = 'this-replica';

/** A load balancer that runs the configuration it got last, whoever wrote it. */
class FakeDriver extends LoadBalancerDriver {
  override readonly type = 'haproxy';
  /** The hash of what it does. */
  running = '';
  reloads = 0;
  isRejecting = false;
  /** While it does not run it takes nothing; when it starts it finds what is installed. */
  isDown = false;

  constructor(private readonly path: string) {
    super();
  }
  override async render({ exact }: ResolvedState): Promise<Rendering> {
    if (this.isRejecting) {
      throw new RejectedStateError('it cannot be written');
    }
    const names = [...exact.keys()].toSorted().join(' ');
    const file = await renderFile(this.path, [`# ${OWNERSHIP_MARK}\n# ${names}\n`]);
    return { files: [file], hash: hashFiles([file]) };
  }
  override async validate(): Promise<void> {}
  override async classify(): Promise<ChangeMethod> {
    return 'reload';
  }
  override async update(): Promise<void> {}
  override async reload(expected: Rendering | undefined): Promise<void> {
    if (this.isDown) {
      throw new NotRunningError('nobody listens');
    }
    this.reloads += 1;
    this.running = expected?.hash ?? '';
  }
  override async findDrift({ hash }: Rendering): Promise<Drift[]> {
    return this.running === hash ? [] : [{ kind: 'process', detail: 'it does something else' }];
  }
}

describe(LoadBalancerDuty.name, () => {
  let directory: string;
  let store: MemoryStore;
  let registry: Registry;
  let driver: FakeDriver;

  beforeEach(async () => {
    for (const level of ['log', 'warn', 'error'] as const) {
      jest.spyOn(Logger.prototype, level).mockReturnValue();
    }
    directory = mkdtempSync(join(tmpdir(), 'palisade-duty-'));
    driver = new FakeDriver(join(directory, 'main.cfg'));
    store = new MemoryStore();
    const preparation = new StorePreparation(store);
    await preparation.onApplicationBootstrap();
    registry = new Registry(store, preparation, new RoutingTable(routingSettings()));
    registry.onApplicationBootstrap();
    await register('acme');
  });

  afterEach(async () => {
    await registry.onModuleDestroy();
    rmSync(directory, { recursive: true });
    jest.restoreAllMocks();
  });

  const register = (id: string) => {
    const draft = { namespacePatterns: [parseNamespacePattern(id)], pool: STANDARD };
    return store.tenants.register(parseTenantId(id), 'api', draft, CHANGE);
  };
  const create = (driftIntervalMs = 60_000, coalesceMs = 0, policyWaitMs = 60_000): LoadBalancerDuty => {
    const change = new ConfigurationChange(driver, new ConfigurationFiles(join(directory, 'main.cfg')));
    const loadBalancer = new LoadBalancer(change, new HostAddresses(), { type: 'haproxy', coalesceMs });
    return new LoadBalancerDuty(store, registry, loadBalancer, {
      health: { panicThresholdPercent: 50 },
      driftIntervalMs,
      policyWaitMs,
    });
  };
  const versions = () => store.operations.listVersions({ limit: 100 });
  const records = async () => {
    await store.log.seal();
    return (await store.log.list({ limit: 100 })).filter(({ userId }) => userId === 'control-plane');
  };

  /** Has the duty run as leader until the condition holds. */
  async function lead(duty: LoadBalancerDuty, until: () => boolean | Promise<boolean>): Promise<void> {
    const ending = new AbortController();
    const held = await store.leases.acquire('control-plane', REPLICA, 60_000);
    const running = duty.run(termOf(held, ending.signal));
    while (!(await until())) {
      // The duty tells nobody what it has done.
      await sleep(5);
    }
    ending.abort();
    await running;
    await store.leases.release('control-plane', REPLICA);
  }

  it('has the load balancer do what the registry says, and records it once', async () => {
    await lead(create(), async () => (await versions()).length > 0);
    expect(await versions()).toMatchObject([{ revision: 1, result: 'applied', actor: 'control-plane' }]);
    expect(await records()).toMatchObject([{ action: 'loadbalancer.apply', result: 'success' }]);
  });

  it('records under which epoch it has done something', async () => {
    const duty = create();
    await lead(duty, async () => (await versions()).length === 1);
    await register('globex');
    await lead(duty, async () => (await versions()).length === 2);
    expect((await versions()).map(({ epoch }) => epoch)).toEqual([2, 1]);
    expect((await records()).map(({ detail }) => detail?.['epoch'])).toEqual([1, 2]);
  });

  it('makes the first change after a quiet time at once', async () => {
    await lead(create(60_000, 3_600_000), async () => (await versions()).length === 1);
    expect(driver.reloads).toBe(1);
  });

  it('answers a request for a reload on behalf of whoever asked', async () => {
    const duty = create();
    await lead(duty, async () => (await versions()).length === 1);
    const id = '0199a3c4-7d9f-7000-8000-3c5200000000';
    await store.operations.requestReload({ id, actor: 'ann', at: new Date() });
    await lead(duty, async () => (await store.operations.findReloadAnswer(id)) !== undefined);
    expect(await store.operations.findReloadAnswer(id)).toMatchObject({ actor: 'ann', method: 'reload' });
    expect(driver.reloads).toBe(2);
  });

  it('does not rely on what it did in an earlier term', async () => {
    const duty = create();
    await lead(duty, async () => (await versions()).length === 1);
    const { running } = driver;
    driver.running = 'what another leader has made';
    await lead(duty, async () => (await versions()).length === 2);
    expect(driver.running).toBe(running);
  });

  it('records what it has done as soon as the store is there again, and does it once', async () => {
    const operations: OperationsStore = store.operations;
    jest.spyOn(operations, 'recordVersion').mockRejectedValueOnce(new StoreUnavailableError(1));
    await lead(create(), async () => (await versions()).length > 0);
    expect(await versions()).toMatchObject([{ revision: 1, result: 'applied' }]);
    expect([driver.reloads, (await records()).length]).toEqual([1, 1]);
  });

  describe('with a proxy that follows its policy', () => {
    const id = parseProxyId('standard-1');
    const acknowledge = (revision: number) =>
      store.proxies.heartbeat(id, { policy: { revision, source: 'stream', age_seconds: 0 } });

    beforeEach(async () => {
      const place = { pool: STANDARD, host: '10.0.0.1', port: 1, weight: 100, isDraining: false };
      await store.proxies.put(id, 'registration', place, CHANGE);
      await store.proxies.observe([{ id, health: 'healthy', at: new Date() }], CHANGE);
      await acknowledge(1);
    });

    /** Has it lead until there is a version with the new tenant. */
    async function leadWith(duty: LoadBalancerDuty, whileWaiting: () => Promise<unknown>): Promise<void> {
      let isRegistered = false;
      await lead(duty, async () => {
        const count = (await versions()).length;
        if (count === 1 && !isRegistered) {
          isRegistered = true;
          await register('globex');
        } else if (registry.table.isWaiting) {
          await whileWaiting();
        }
        return count === 2;
      });
    }

    it('sends a tenant to the pool once the proxy has acknowledged it', async () => {
      await leadWith(create(), () => acknowledge(2));
      const [latest] = await versions();
      expect(latest).toMatchObject({ revision: 2, result: 'applied' });
      expect(latest).not.toHaveProperty('reason');
    });

    it('goes ahead after a time, and the record says so', async () => {
      await leadWith(create(60_000, 0, 20), async () => undefined);
      expect((await versions())[0]).toMatchObject({
        result: 'applied',
        reason: 'sent tenant globex to another pool before proxy standard-1 acknowledged revision 2',
      });
    });
  });

  it('repairs what somebody else has changed', async () => {
    const duty = create(50);
    await lead(duty, async () => {
      if ((await versions()).length === 1 && driver.reloads === 1) {
        writeFileSync(join(directory, 'main.cfg'), `# ${OWNERSHIP_MARK}\nsomething else\n`);
      }
      return driver.reloads === 2;
    });
    expect(await versions()).toMatchObject([{ result: 'applied' }, { result: 'applied' }]);
  });

  it('goes on when what is wanted cannot become a configuration, and records that once', async () => {
    const duty = create(1);
    driver.isRejecting = true;
    let rounds = 0;
    jest.spyOn(store.operations as OperationsStore, 'pendingReloads').mockImplementation(async () => {
      rounds += 1;
      return [];
    });
    await lead(duty, () => rounds >= 3);
    expect(await versions()).toMatchObject([{ result: 'rejected', reason: 'it cannot be written' }]);
  });

  /** What the leader reports of the load balancer. */
  const reported = async () => (await store.operations.statuses())[0]?.detail ?? {};

  it('reports and records that a change which failed is in force after all, as the load balancer started later', async () => {
    const duty = create();
    driver.isDown = true;
    await lead(duty, async () => (await versions()).length === 1);
    expect(await reported()).toMatchObject({ last: { result: 'failed' } });
    driver.isDown = false;
    driver.running = (await versions())[0]?.hash ?? '';
    await lead(duty, async () => (await versions()).length === 2);
    expect(await versions()).toMatchObject([{ result: 'unchanged' }, { result: 'failed' }]);
    expect([driver.reloads, await reported()]).toMatchObject([0, { last: { result: 'unchanged', reason: null } }]);
  });

  it('does not record again that there was nothing to change', async () => {
    const duty = create();
    await lead(duty, async () => (await versions()).length === 1);
    await lead(duty, async () => ((await reported())['last'] as JsonObject)['result'] === 'unchanged');
    expect(await versions()).toHaveLength(1);
  });

  it('reports that drift is repaired', async () => {
    const duty = create(50);
    let found: unknown;
    await lead(duty, async () => {
      if (driver.reloads === 1) {
        driver.running = 'something else';
      }
      found = ((await reported())['drift'] as JsonObject | undefined)?.['found'];
      return driver.reloads === 2 && JSON.stringify(found) === '[]';
    });
    expect(found).toEqual([]);
  });

  it('changes nothing once it does not lead', async () => {
    const held = await store.leases.acquire('control-plane', REPLICA, 60_000);
    const term: LeaderTerm = {
      signal: new AbortController().signal,
      lease: () => {
        throw new LeaseLostError(held.name, held.epoch);
      },
      isHeld: () => false,
    };
    await expect(create().run(term)).rejects.toBeInstanceOf(LeaseLostError);
    expect(driver.reloads).toBe(0);
  });
});

function termOf(held: HeldLease, signal: AbortSignal): LeaderTerm {
  return { signal, lease: () => held, isHeld: () => true };
}
