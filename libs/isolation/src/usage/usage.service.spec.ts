import { describe, expect, it } from '@jest/globals';
import {
  ACME,
  ALICE,
  BOB,
  BOLT,
  IsolationWorld,
  PER_NAMESPACE,
  PER_SESSION,
  SHARED,
} from '../../test/support/isolation-world.js';
import { UsageService } from './usage.service.js';

const FAILED = new Error('no such table');
const nothing = async () => {};
const forever = () => new Promise<never>(() => {});
const fail = () => Promise.reject(FAILED);

/** Does as much work at once as would be done one after another, in no time. */
async function finishMany(world: IsolationWorld, count: number, work: () => Promise<unknown>, caller = ALICE) {
  for (let done = 0; done < count; done++) {
    await world.run(work, caller).catch(() => {});
  }
}

describe(UsageService.name, () => {
  it('knows nothing of a namespace that has done nothing', async () => {
    const world = await IsolationWorld.create(PER_NAMESPACE);
    expect(world.usage.find(ACME)).toBeUndefined();
  });

  it('tells what a namespace takes now and has taken', async () => {
    const world = await IsolationWorld.create(PER_NAMESPACE);
    await world.finish(async ({ context }) => context.countRows(7));
    await finishMany(world, 1, fail);
    void world.run(async ({ context }) => {
      context.hold(100);
      await forever();
    });
    void world.run(nothing);
    await world.clock.advance(10);
    expect(world.usage.find(ACME)).toEqual({
      namespace: 'acme',
      p50Ms: 0.25,
      p99Ms: expect.closeTo(5.66),
      requests: 4,
      errors: 1,
      aborted: 0,
      rejections: {},
      rowsAccessed: 7,
      cpuSeconds: 0,
      connections: [{ backend: 'fake', active: 1, idle: 0, max: 1, queued: 1 }],
      requestsPerSecond: expect.any(Number),
      queued: 1,
      bytesHeld: 100,
      alerts: expect.any(Array),
    });
  });

  it('counts work that got no connection as an error, and why', async () => {
    const world = await IsolationWorld.create(PER_NAMESPACE);
    world.driver.failure = () => FAILED;
    await world.finish(nothing).catch(() => {});
    expect(world.usage.find(ACME)).toMatchObject({ requests: 1, errors: 1, rejections: { BACKEND_UNAVAILABLE: 1 } });
  });

  it('counts work that a limit has ended as no error', async () => {
    const limits = { per_namespace: { memory: 10, max_rps: 2 } };
    const world = await IsolationWorld.create({ ...PER_NAMESPACE, resource_limits: limits });
    await world.finish(async ({ context }) => context.hold(11)).catch(() => {});
    await finishMany(world, 2, nothing);
    expect(world.usage.find(ACME)).toMatchObject({
      requests: 2,
      errors: 0,
      rejections: { MEMORY_LIMIT: 1, RATE_LIMITED: 1 },
    });
  });

  it('counts a rejection that work has met elsewhere there only', async () => {
    const limits = { namespaces: { bolt: { max_rps: 1 } } };
    const world = await IsolationWorld.create({ ...PER_NAMESPACE, resource_limits: limits });
    await world.finish(nothing, BOB);
    await world.finish(() => world.run(nothing, BOB)).catch(() => {});
    expect(world.usage.find(ACME)).toMatchObject({ errors: 0, rejections: {} });
    expect(world.usage.find(BOLT)).toMatchObject({ rejections: { RATE_LIMITED: 1 } });
  });

  it('counts what was aborted as no error', async () => {
    const world = await IsolationWorld.create(PER_NAMESPACE);
    const controller = new AbortController();
    const running = world.run(forever, ALICE, { signal: controller.signal });
    await world.clock.advance(10);
    controller.abort();
    await world.after(running, 2000).catch(() => {});
    expect(world.usage.find(ACME)).toMatchObject({ requests: 1, errors: 0, aborted: 1, rejections: {} });
  });

  it('tells at the level none which share of the common pool a namespace uses', async () => {
    const world = await IsolationWorld.create(SHARED);
    for (const caller of [ALICE, ALICE, BOB]) {
      void world.run(forever, caller);
    }
    await world.clock.advance(20);
    expect([world.usage.find(ACME)?.connections, world.usage.find(BOLT)?.connections]).toEqual([
      [{ backend: 'fake', active: 2, idle: 0, max: 2, queued: 0 }],
      [{ backend: 'fake', active: 0, idle: 0, max: 2, queued: 1 }],
    ]);
  });

  it('counts at the level none nobody who has left the queue', async () => {
    const world = await IsolationWorld.create(SHARED);
    for (const caller of [ALICE, ALICE]) {
      void world.run(forever, caller);
    }
    const controller = new AbortController();
    void world.run(nothing, BOB, { signal: controller.signal });
    void world.run(nothing, BOB);
    await world.clock.advance(20);
    controller.abort();
    await world.clock.advance(10);
    expect(world.usage.find(BOLT)?.connections).toEqual([{ backend: 'fake', active: 0, idle: 0, max: 2, queued: 1 }]);
  });

  it('tells at the level session of the connections of a namespace’s sessions', async () => {
    const world = await IsolationWorld.create(PER_SESSION);
    const caller = await world.openSession(ALICE, 2);
    await world.openSession(BOB);
    void world.run(forever, caller);
    await world.clock.advance(10);
    const { backends } = world.usage.snapshot();
    expect([world.usage.find(ACME)?.connections, backends]).toEqual([
      [{ backend: 'fake', active: 2, idle: 0, max: 4, queued: 0 }],
      [{ backend: 'fake', active: 3, idle: 0, max: 4, queued: 0 }],
    ]);
  });

  it('tells of the busiest namespaces, and how many there are', async () => {
    const world = await IsolationWorld.create(PER_NAMESPACE);
    await world.finish(nothing, BOB);
    await world.finish(nothing);
    await finishMany(world, 2, nothing);
    const { namespaces, knownNamespaces, totals } = world.usage.snapshot({ maxNamespaces: 1 });
    expect([namespaces.map(({ namespace }) => namespace), knownNamespaces, totals.requests]).toEqual([['acme'], 2, 4]);
  });
});

describe(`${UsageService.name}: alerts`, () => {
  const alertsIn = (world: IsolationWorld) =>
    world.usage
      .snapshot()
      .alerts.map(({ severity, kind, namespace, backend }) =>
        [severity, kind, namespace, backend].filter((part) => part !== undefined).join(' '),
      );

  it('warns while a namespace uses more than 90 % of its connections', async () => {
    const world = await IsolationWorld.create(PER_NAMESPACE);
    const work = Promise.withResolvers<void>();
    void world.run(() => work.promise);
    await world.clock.advance(10);
    expect(alertsIn(world)).toEqual(['warning connections acme fake']);
    work.resolve();
    await world.clock.advance(10);
    expect(alertsIn(world)).toEqual([]);
  });

  it('warns of what all share', async () => {
    const world = await IsolationWorld.create(SHARED);
    void world.run(forever);
    void world.run(forever, BOB);
    await world.clock.advance(10);
    expect(alertsIn(world)).toEqual(['warning connections fake']);
  });

  it('is critical while more than 5 % of the requests of a minute failed', async () => {
    const world = await IsolationWorld.create(PER_NAMESPACE);
    await world.finish(nothing);
    await finishMany(world, 18, nothing);
    await finishMany(world, 1, fail);
    expect(alertsIn(world)).toEqual([]);
    await finishMany(world, 1, fail);
    expect(alertsIn(world)).toEqual(['critical error_rate acme']);
    await world.clock.advance(60_000);
    expect(alertsIn(world)).toEqual([]);
  });

  it('warns while the 99th percentile is above a second', async () => {
    const world = await IsolationWorld.create(PER_NAMESPACE);
    await world.finish(nothing);
    await finishMany(world, 97, nothing);
    await world.after(
      world.run(() => new Promise<void>((resolve) => world.clock.setTimer(resolve, 1001))),
      2000,
    );
    expect(alertsIn(world)).toEqual(['warning latency acme']);
    await finishMany(world, 1, nothing);
    expect(alertsIn(world)).toEqual([]);
  });

  it('takes a subscription for no slow request, but counts its failure', async () => {
    const world = await IsolationWorld.create(PER_NAMESPACE);
    const isLongLived = true;
    await world.after(
      world.run(() => new Promise<void>((resolve) => world.clock.setTimer(resolve, 5000)), ALICE, { isLongLived }),
      6000,
    );
    expect(alertsIn(world)).toEqual([]);
    await world.finish(fail, ALICE, { isLongLived }).catch(() => {});
    expect(alertsIn(world)).toEqual(['critical error_rate acme']);
  });
});
