import { describe, expect, it } from '@jest/globals';
import { parseNamespaceId } from '@palisade/domain';
import { Registry } from 'prom-client';
import { ALICE, BOB, IsolationWorld, PER_NAMESPACE } from '../../test/support/isolation-world.js';
import { registerIsolationMetrics, type IsolationMetricsOptions } from './isolation-metrics.js';

const nothing = async () => {};
const forever = () => new Promise<never>(() => {});

async function createWorld(options: IsolationMetricsOptions = {}, settings: object = PER_NAMESPACE) {
  const world = await IsolationWorld.create(settings);
  const registry = new Registry();
  registerIsolationMetrics(registry, world.usage, options);
  /** Lines of the metrics that begin so. */
  const scrape = async (prefix: string) =>
    (await registry.metrics()).split('\n').filter((line) => line.startsWith(prefix) && !line.endsWith(' 0'));
  return { world, registry, scrape };
}

describe(registerIsolationMetrics.name, () => {
  it('tells of requests, errors and rejections by namespace', async () => {
    const limits = { namespaces: { bolt: { max_rps: 1 } } };
    const { world, scrape } = await createWorld({}, { ...PER_NAMESPACE, resource_limits: limits });
    await world.finish(async ({ context }) => context.countRows(3));
    await world.finish(() => Promise.reject(new Error('failed'))).catch(() => {});
    await world.finish(nothing, BOB);
    await world.finish(nothing, BOB).catch(() => {});
    expect(await scrape('isolation_')).toEqual(
      expect.arrayContaining([
        'isolation_requests_total{namespace="acme"} 2',
        'isolation_requests_total{namespace="bolt"} 1',
        'isolation_errors_total{namespace="acme"} 1',
        'isolation_rows_accessed_total{namespace="acme"} 3',
        'isolation_rejections_total{namespace="bolt",reason="RATE_LIMITED"} 1',
        'isolation_alerts{kind="error_rate",severity="critical"} 1',
        'isolation_request_duration_seconds_count{backend="fake"} 3',
      ]),
    );
  });

  it('leaves long-lived work out of the durations', async () => {
    const { world, scrape } = await createWorld();
    await world.finish(nothing);
    await world.finish(nothing, ALICE, { isLongLived: true });
    expect(await scrape('isolation_requests_total')).toEqual(['isolation_requests_total{namespace="acme"} 2']);
    expect(await scrape('isolation_request_duration_seconds_count')).toEqual([
      'isolation_request_duration_seconds_count{backend="fake"} 1',
    ]);
  });

  it('tells of connections, of the queue and of memory', async () => {
    const { world, scrape } = await createWorld();
    void world.run(async ({ context }) => {
      context.hold(100);
      await forever();
    });
    void world.run(nothing);
    await world.clock.advance(10);
    expect(await scrape('isolation_')).toEqual(
      expect.arrayContaining([
        'isolation_connections{namespace="acme",backend="fake",state="active"} 1',
        'isolation_connections_max{namespace="acme",backend="fake"} 1',
        'isolation_queue_length{namespace="acme",backend="fake"} 1',
        'isolation_memory_held_bytes{namespace="acme"} 100',
      ]),
    );
  });

  it('counts namespaces beyond the bound together', async () => {
    const { world, scrape } = await createWorld({ maxNamespaces: 1 });
    await world.finish(nothing);
    await world.finish(nothing);
    for (const name of ['other', 'bolt']) {
      await world.finish(nothing, { ...ALICE, namespace: parseNamespaceId(name) });
    }
    expect(await scrape('isolation_requests_total')).toEqual([
      'isolation_requests_total{namespace="acme"} 2',
      'isolation_requests_total{namespace="_other"} 2',
    ]);
  });

  it('names the label as it is told to', async () => {
    const { world, scrape } = await createWorld({ namespaceLabel: 'tenant' });
    await world.finish(nothing);
    expect(await scrape('isolation_requests_total')).toEqual(['isolation_requests_total{tenant="acme"} 1']);
  });

  it('forgets what is over', async () => {
    const { world, scrape } = await createWorld();
    const work = Promise.withResolvers<void>();
    void world.run(() => work.promise);
    await world.clock.advance(10);
    expect(await scrape('isolation_alerts')).toHaveLength(1);
    work.resolve();
    await world.clock.advance(10);
    expect(await scrape('isolation_alerts')).toHaveLength(0);
  });
});
