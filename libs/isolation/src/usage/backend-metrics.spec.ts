import { describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { ALICE, BOB, IsolationWorld, PER_NAMESPACE, PER_SESSION } from '../../test/support/isolation-world.js';
import { registerBackendMetrics } from './backend-metrics.js';

const nothing = async () => {};
const forever = () => new Promise<never>(() => {});
const ONE = {
  isolation_level: 'namespace',
  connection_pools: { fake: { connections_per_namespace: 1, max_total_connections: 1 } },
};

async function createWorld(settings: object = PER_NAMESPACE) {
  const world = await IsolationWorld.create(settings);
  const registry = new Registry();
  registerBackendMetrics(registry, world.usage);
  /** Lines of the metrics that begin so. */
  const scrape = async (prefix: string) =>
    (await registry.metrics()).split('\n').filter((line) => line.startsWith(prefix));
  return { world, scrape };
}

describe(registerBackendMetrics.name, () => {
  it('tells how often connections were asked for, and what came of it', async () => {
    const { world, scrape } = await createWorld();
    await world.finish(nothing);
    await world.finish(nothing);
    const abort = new AbortController();
    void world.run(forever);
    const aborted = world.run(nothing, ALICE, { signal: abort.signal });
    await world.clock.advance(10);
    abort.abort(new Error('gone'));
    await aborted.catch(() => {});
    expect(await scrape('isolation_acquisitions_total')).toEqual([
      'isolation_acquisitions_total{backend="fake",result="acquired"} 3',
      'isolation_acquisitions_total{backend="fake",result="timed_out"} 0',
      'isolation_acquisitions_total{backend="fake",result="rejected"} 0',
      'isolation_acquisitions_total{backend="fake",result="unavailable"} 0',
      'isolation_acquisitions_total{backend="fake",result="aborted"} 1',
    ]);
  });

  it('tells how long connections were waited for, in seconds', async () => {
    const { world, scrape } = await createWorld();
    await world.finish(nothing);
    const work = Promise.withResolvers<void>();
    const first = world.run(() => work.promise);
    const second = world.run(nothing);
    await world.clock.advance(2500);
    work.resolve();
    await Promise.all([first, second]);
    expect(await scrape('isolation_wait')).toEqual([
      'isolation_waits_total{backend="fake"} 2',
      // 5 ms of them for the connection to open.
      'isolation_wait_seconds_total{backend="fake"} 2.505',
    ]);
  });

  it('tells of connections that go from one namespace to another', async () => {
    const { world, scrape } = await createWorld(ONE);
    await world.finish(nothing, ALICE);
    await world.after(world.run(nothing, BOB), 20_000);
    expect(await scrape('isolation_connections_')).toEqual(
      expect.arrayContaining([
        'isolation_connections_opened_total{backend="fake"} 2',
        'isolation_connections_failed_total{backend="fake"} 0',
        'isolation_connections_closed_total{backend="fake",reason="evicted"} 1',
      ]),
    );
  });

  it('tells the caps as they are divided among replicas', async () => {
    const { world, scrape } = await createWorld();
    expect(await scrape('isolation_connections_cap')).toEqual(['isolation_connections_cap{backend="fake"} 2']);
    world.isolation.divideCaps(2);
    expect(await scrape('isolation_connections_cap')).toEqual(['isolation_connections_cap{backend="fake"} 1']);
  });

  it('counts a connection against the cap from the attempt on', async () => {
    const { world, scrape } = await createWorld();
    void world.run(forever);
    await world.clock.advance(1);
    expect(await scrape('isolation_backend_connections')).toEqual(['isolation_backend_connections{backend="fake"} 1']);
  });

  it('tells the connections of sessions', async () => {
    const { world, scrape } = await createWorld(PER_SESSION);
    await world.openSession(ALICE, 2);
    expect(await scrape('isolation_backend_connections')).toEqual(['isolation_backend_connections{backend="fake"} 2']);
    expect(await scrape('isolation_connections_cap')).toEqual(['isolation_connections_cap{backend="fake"} 4']);
  });
});
