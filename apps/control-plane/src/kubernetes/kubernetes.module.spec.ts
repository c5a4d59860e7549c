import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Global, Logger, Module } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { Metrics } from '@palisade/platform';
import { MemoryStore } from '@palisade/storage';
import { settingsOf } from '../../test/support/control-app.js';
import { ConfigModule } from '../config/config.module.js';
import { loadConfig } from '../config/control-plane.config.js';
import { LeaseStore } from '@palisade/domain';
import type { LeaderDuty } from '../leadership/leader-duty.js';
import { Leadership } from '../leadership/leadership.js';
import { StoreModule } from '../store.module.js';
import { KubernetesModule } from './kubernetes.module.js';

const POOLS = 'proxy_pools: { standard: { isolation_level: namespace } }\n';
const DISCOVERY = 'service_discovery: { type: kubernetes, label_selector: "app=proxy" }\n';

@Global()
@Module({ providers: [Metrics], exports: [Metrics] })
class MetricsModule {}

/** Notes what it is given, and never leads. */
class IdleLeadership extends Leadership {
  readonly assigned: LeaderDuty[] = [];
  readonly required: LeaseStore[] = [];

  override assign(duty: LeaderDuty): void {
    this.assigned.push(duty);
  }
  override alsoHold(leases: LeaseStore): void {
    this.required.push(leases);
  }
}

describe(KubernetesModule.name, () => {
  let module: TestingModule | undefined;
  let store: MemoryStore;
  let leadership: IdleLeadership;
  beforeEach(() => {
    Logger.overrideLogger(false);
    store = new MemoryStore();
    const options = { name: 'leader', holder: 'a', ttlMs: 5000, mayLead: false };
    leadership = new IdleLeadership([store.leases], options);
  });
  afterEach(async () => {
    await module?.close();
  });

  async function create(yaml: string): Promise<void> {
    module = await Test.createTestingModule({
      imports: [
        ConfigModule.forRoot({ ...loadConfig({}), settings: settingsOf(POOLS + yaml) }),
        StoreModule.forRoot(store),
        MetricsModule,
        KubernetesModule,
      ],
    })
      .overrideProvider(Leadership)
      .useValue(leadership)
      .compile();
    await module.init();
  }

  it.each([
    ['', []],
    ['kubernetes: {}', ['Kubernetes tenants']],
    ['kubernetes: { watch_tenants: false }', []],
    [DISCOVERY, ['pod discovery']],
    [`${DISCOVERY}kubernetes: { namespace: proxies }`, ['Kubernetes tenants', 'pod discovery']],
  ])('has the duties of the configuration %j', async (yaml, names) => {
    await create(yaml);
    expect(leadership.assigned.map(({ name }) => name)).toEqual(names);
  });

  it.each([
    ['', 0],
    ['kubernetes: {}', 0],
    ['kubernetes: { leader_election: true }', 1],
  ])('demands a Lease of the cluster only when the configuration does: %j', async (yaml, count) => {
    await create(yaml);
    expect(leadership.required).toHaveLength(count);
  });

  it('starts without a cluster, reports that it is unreachable, and ends', async () => {
    await create('kubernetes: { kubeconfig_file: /does/not/exist }');
    const term = new AbortController();
    const lease = await store.leases.acquire('leader', 'a', 60_000);
    const ended = Promise.all(
      leadership.assigned.map((duty) => duty.run({ signal: term.signal, lease: () => lease, isHeld: () => true })),
    );
    const failing = { tenants: { state: 'failing', error: expect.stringContaining('ENOENT') } };
    while ((await store.operations.statuses())[0]?.detail['tenants']?.['state' as never] !== 'failing') {
      await new Promise(setImmediate);
    }
    expect(await store.operations.statuses()).toMatchObject([{ component: 'kubernetes', detail: failing }]);
    const metrics = await module?.get(Metrics).registry.metrics();
    expect(metrics).toMatch(/^kubernetes_watch_staleness_seconds\{resource="tenants"\} [\d.e-]+$/m);
    expect(metrics).toMatch(/^kubernetes_watch_objects\{resource="tenants"\} 0$/m);
    expect(metrics).toMatch(/^kubernetes_watch_interruptions_total\{resource="tenants"\} [1-9]\d*$/m);
    term.abort();
    await ended;
    expect(await module?.get(Metrics).registry.metrics()).not.toMatch(/^kubernetes_watch_staleness_seconds\{/m);
  });
});
