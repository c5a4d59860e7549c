import { describe, expect, it, jest } from '@jest/globals';
import type { FakeConnection } from '../test/support/fake-driver.js';
import { ALICE, BOB, IsolationWorld, PER_NAMESPACE, PER_SESSION, SHARED } from '../test/support/isolation-world.js';
import { ScopedDriver, type FakeClient } from '../test/support/scoped-driver.js';
import { settled } from '../test/support/virtual-clock.js';
import { Isolation } from './isolation.js';

const FAILED = new Error('no such table');
const GONE = new Error('the caller has gone');
const forever = () => new Promise<never>(() => {});
const nothing = async () => {};

/** Work that ends when its client is told to. */
function untilTold({ context }: FakeClient): Promise<never> {
  return new Promise((_, reject) => {
    context.signal.addEventListener('abort', () => reject(context.signal.reason));
  });
}

describe(Isolation.name, () => {
  it('gives work a client of its namespace, and what the work gives to the caller', async () => {
    const world = await IsolationWorld.create(PER_NAMESPACE);
    await expect(world.finish(async ({ namespace }) => `for ${namespace}`)).resolves.toBe('for acme');
    await expect(world.finish(async ({ namespace }) => `for ${namespace}`, BOB)).resolves.toBe('for bolt');
  });

  it('ends the client with the work', async () => {
    const world = await IsolationWorld.create(PER_NAMESPACE);
    const client = await world.finish(async (own) => own);
    expect(client.isDisposed).toBe(true);
  });

  it('gives each namespace a connection of its own at the level namespace', async () => {
    const world = await IsolationWorld.create(PER_NAMESPACE);
    const first = await world.finish(async ({ connection }) => connection);
    const second = await world.finish(async ({ connection }) => connection, BOB);
    expect([first.namespace, second.namespace]).toEqual(['acme', 'bolt']);
  });

  it('gives everybody the same connections, and clients of their own, at the level none', async () => {
    const world = await IsolationWorld.create(SHARED);
    const first = await world.finish(async (client) => client);
    const second = await world.finish(async (client) => client, BOB);
    expect(second.connection).toBe(first.connection);
    expect([first.namespace, second.namespace]).toEqual(['acme', 'bolt']);
  });

  it('uses a connection again after an error that is the work’s own', async () => {
    const world = await IsolationWorld.create(PER_NAMESPACE);
    await expect(
      world.finish(async () => {
        throw FAILED;
      }),
    ).rejects.toBe(FAILED);
    await world.finish(nothing);
    expect(world.driver.attempts).toBe(1);
  });

  it('ends the client of work that throws at once, before it could give a promise', async () => {
    const world = await IsolationWorld.create(PER_NAMESPACE);
    let client: FakeClient | undefined;
    const running = world.finish((own): Promise<never> => {
      client = own;
      throw FAILED;
    });
    await expect(running).rejects.toBe(FAILED);
    expect(client?.isDisposed).toBe(true);
  });

  it.each([
    ['cannot be made', { scopeFailure: FAILED }, FAILED],
    ['does not end well', { disposeClient: () => Promise.reject(FAILED) }, undefined],
    ['does not end in time', { disposeClient: forever }, undefined],
  ])('closes a connection whose client %s', async (_, behaviour, failure) => {
    const world = await IsolationWorld.create(PER_NAMESPACE);
    Object.assign(world.driver, behaviour);
    const running = world.after(
      world.run(async () => 1),
      3000,
    );
    await (failure === undefined ? expect(running).resolves.toBe(1) : expect(running).rejects.toBe(failure));
    expect([world.driver.total, world.pools.snapshots()[0]?.counters.discarded]).toEqual([0, 1]);
  });

  it('rejects a backend that is not configured', async () => {
    const { isolation } = await IsolationWorld.create(PER_NAMESPACE);
    for (const name of ['other', '__proto__', 'toString']) {
      await expect(isolation.run(ALICE, name, ScopedDriver, nothing)).rejects.toMatchObject({
        code: 'UNKNOWN_BACKEND',
      });
    }
  });

  it('rejects a backend whose driver is of another class', async () => {
    class OtherDriver extends ScopedDriver {}
    const { isolation } = await IsolationWorld.create(PER_NAMESPACE);
    await expect(isolation.run(ALICE, 'fake', OtherDriver, nothing)).rejects.toThrow('a driver of class OtherDriver');
  });
});

describe(`${Isolation.name}: abort`, () => {
  it('begins nothing for a caller who has gone already', async () => {
    const world = await IsolationWorld.create(PER_NAMESPACE);
    await expect(world.run(nothing, ALICE, { signal: AbortSignal.abort(GONE) })).rejects.toBe(GONE);
    expect([world.driver.attempts, world.usage.snapshot().totals.requests]).toEqual([0, 0]);
  });

  it('takes a caller who has gone out of the queue', async () => {
    const world = await IsolationWorld.create(PER_NAMESPACE);
    const first = world.run(forever);
    const controller = new AbortController();
    const second = world.run(nothing, ALICE, { signal: controller.signal });
    await world.clock.advance(10);
    expect(world.usage.find(ALICE.namespace)?.queued).toBe(1);
    controller.abort(GONE);
    await expect(second).rejects.toBe(GONE);
    expect(world.usage.find(ALICE.namespace)?.queued).toBe(0);
    void first;
  });

  it('tells work that its caller has gone, and closes its connection', async () => {
    const world = await IsolationWorld.create(PER_NAMESPACE);
    const controller = new AbortController();
    const running = world.run(untilTold, ALICE, { signal: controller.signal });
    await world.clock.advance(10);
    controller.abort(GONE);
    await expect(world.after(running)).rejects.toBe(GONE);
    expect(world.driver.total).toBe(0);
  });

  it('lets work that does not end alone after a second, and ends its client under it', async () => {
    const world = await IsolationWorld.create(PER_NAMESPACE);
    const controller = new AbortController();
    const client = Promise.withResolvers<FakeClient>();
    const running = world.run(
      (own) => {
        client.resolve(own);
        return forever();
      },
      ALICE,
      { signal: controller.signal },
    );
    await world.clock.advance(10);
    controller.abort(GONE);
    await world.clock.advance(999);
    expect(world.driver.total).toBe(1);
    await expect(world.after(running)).rejects.toBe(GONE);
    expect([world.driver.total, (await client.promise).isDisposed]).toEqual([0, true]);
  });

  it('tells nobody of work that fails after it was let alone', async () => {
    const world = await IsolationWorld.create(PER_NAMESPACE);
    const controller = new AbortController();
    const late = Promise.withResolvers<never>();
    const running = world.run(() => late.promise, ALICE, { signal: controller.signal });
    await world.clock.advance(10);
    controller.abort(GONE);
    await expect(world.after(running, 2000)).rejects.toBe(GONE);
    late.reject(FAILED);
    await settled();
  });

  it('gives what work came to although its caller had gone meanwhile', async () => {
    const world = await IsolationWorld.create(PER_NAMESPACE);
    const controller = new AbortController();
    const running = world.run(
      async () => {
        controller.abort(GONE);
        return 1;
      },
      ALICE,
      { signal: controller.signal },
    );
    await expect(world.after(running)).resolves.toBe(1);
  });

  it('leaves no listener on the signal of a caller', async () => {
    const world = await IsolationWorld.create(PER_NAMESPACE);
    const { signal } = new AbortController();
    const added = jest.spyOn(signal, 'addEventListener');
    const removed = jest.spyOn(signal, 'removeEventListener');
    await world.finish(nothing, ALICE, { signal });
    const listenersOf = ({ mock }: { mock: { calls: unknown[][] } }) => mock.calls.map(([, listener]) => listener);
    expect(added).toHaveBeenCalled();
    expect(new Set(listenersOf(removed))).toEqual(new Set(listenersOf(added)));
  });
});

describe(`${Isolation.name}: sessions`, () => {
  it('says that work needs a session', async () => {
    const world = await IsolationWorld.create(PER_SESSION);
    await expect(world.run(nothing)).rejects.toMatchObject({
      code: 'SESSION_REQUIRED',
      message: 'isolation_level is session: work for namespace "acme" needs a session, and none was named',
    });
  });

  it('rejects a session at the other levels', async () => {
    const caller = await (await IsolationWorld.create(PER_SESSION)).openSession();
    const world = await IsolationWorld.create(PER_NAMESPACE);
    await expect(world.run(nothing, caller)).rejects.toMatchObject({ code: 'ISOLATION_LEVEL' });
  });

  it('gives each session a connection that no other ever has', async () => {
    const world = await IsolationWorld.create(PER_SESSION);
    const [first, second] = [await world.openSession(), await world.openSession(BOB)];
    const connectionOf = (caller: typeof ALICE) => world.finish(async ({ connection }) => connection.number, caller);
    expect([await connectionOf(first), await connectionOf(second), await connectionOf(first)]).toEqual([1, 2, 1]);
  });

  it('does not know a session of another client, or for another namespace', async () => {
    const world = await IsolationWorld.create(PER_SESSION);
    const { session } = await world.openSession();
    for (const caller of [{ ...ALICE, clientId: 'mallory' }, BOB]) {
      await expect(world.run(nothing, { ...caller, session })).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
    }
  });

  it('divides the work of a session among its connections', async () => {
    const world = await IsolationWorld.create(PER_SESSION);
    const caller = await world.openSession(ALICE, 2);
    const used = new Set<FakeConnection>();
    const work = async ({ connection }: FakeClient) => {
      used.add(connection);
      await forever();
    };
    void world.run(work, caller);
    void world.run(work, caller);
    await settled();
    expect(used.size).toBe(2);
  });

  it('keeps a session after an error that is the work’s own', async () => {
    const world = await IsolationWorld.create(PER_SESSION);
    const caller = await world.openSession();
    await world.finish(() => Promise.reject(FAILED), caller).catch(() => {});
    await expect(world.finish(async () => 1, caller)).resolves.toBe(1);
  });

  it('ends a session whose connection is unusable', async () => {
    const world = await IsolationWorld.create(PER_SESSION);
    const caller = await world.openSession();
    world.driver.disposeClient = () => Promise.reject(FAILED);
    await expect(world.finish(async () => 1, caller)).resolves.toBe(1);
    await expect(world.run(nothing, caller)).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
    expect(world.driver.total).toBe(0);
  });

  it('keeps a session whose work has ended when its caller had gone', async () => {
    const world = await IsolationWorld.create(PER_SESSION);
    const caller = await world.openSession();
    const controller = new AbortController();
    const running = world.run(untilTold, caller, { signal: controller.signal });
    await settled();
    controller.abort(GONE);
    await expect(world.after(running)).rejects.toBe(GONE);
    await expect(world.finish(async () => 1, caller)).resolves.toBe(1);
  });

  it('ends a session whose work does not end when its caller has gone', async () => {
    const world = await IsolationWorld.create(PER_SESSION);
    const caller = await world.openSession();
    const controller = new AbortController();
    const running = world.run(forever, caller, { signal: controller.signal });
    await settled();
    controller.abort(GONE);
    await expect(world.after(running, 2000)).rejects.toBe(GONE);
    await expect(world.run(nothing, caller)).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
  });

  it('tells work that its session has ended', async () => {
    const world = await IsolationWorld.create(PER_SESSION);
    const caller = await world.openSession();
    const running = world.run(untilTold, caller);
    await settled();
    [...world.driver.connections][0]?.lose();
    await expect(world.after(running)).rejects.toMatchObject({ code: 'SESSION_ENDED', reason: 'connection_lost' });
  });
});

describe(`${Isolation.name}: limits`, () => {
  it('rejects work beyond the requests per second, before it needs a connection', async () => {
    const world = await IsolationWorld.create({ ...PER_NAMESPACE, resource_limits: { per_namespace: { max_rps: 1 } } });
    await world.finish(nothing);
    const { attempts } = world.driver;
    await expect(world.run(nothing)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    await expect(world.finish(async () => 1, BOB)).resolves.toBe(1);
    expect(world.driver.attempts).toBe(attempts + 1);
  });

  it('rejects memory beyond the limit, and gives back what work has left when it ends', async () => {
    const limits = { per_namespace: { memory: 100 } };
    const world = await IsolationWorld.create({ ...PER_NAMESPACE, resource_limits: limits });
    const greedy = async ({ context }: FakeClient) => {
      context.hold(100);
      context.hold(1);
    };
    await expect(world.finish(greedy)).rejects.toMatchObject({ code: 'MEMORY_LIMIT' });
    expect(world.usage.find(ALICE.namespace)?.bytesHeld).toBe(0);
  });

  it('gives work that is over no memory any more', async () => {
    const world = await IsolationWorld.create(PER_NAMESPACE);
    const { context } = await world.finish(async (client) => client);
    expect(() => context.hold(1)).toThrow('work that is over');
  });

  it('rejects work while the namespace holds as much memory as it may', async () => {
    const limits = { per_namespace: { memory: 100 } };
    const world = await IsolationWorld.create({ ...SHARED, resource_limits: limits });
    void world.run(async ({ context }) => {
      context.hold(100);
      await forever();
    });
    await world.clock.advance(10);
    await expect(world.run(nothing)).rejects.toMatchObject({ code: 'MEMORY_LIMIT' });
    await expect(world.finish(async () => 1, BOB)).resolves.toBe(1);
  });
});

describe(`${Isolation.name}: shutdown`, () => {
  it('waits for work that is under way', async () => {
    const world = await IsolationWorld.create(PER_NAMESPACE);
    const work = Promise.withResolvers<number>();
    const running = world.run(() => work.promise);
    await world.clock.advance(10);
    const closing = world.close();
    await world.clock.advance(5000);
    work.resolve(1);
    await expect(running).resolves.toBe(1);
    await world.after(closing);
    expect(world.driver.total).toBe(0);
  });

  it('has work end that takes longer than the grace', async () => {
    const world = await IsolationWorld.create(PER_NAMESPACE, { shutdownGraceMs: 1000 });
    const running = world.run(untilTold);
    await world.clock.advance(10);
    const closing = world.close();
    await expect(world.after(running, 1000)).rejects.toMatchObject({ code: 'ISOLATION_CLOSED' });
    await world.after(closing);
  });

  it('begins no work any more', async () => {
    const world = await IsolationWorld.create(PER_NAMESPACE);
    await world.after(world.close());
    await expect(world.run(nothing)).rejects.toMatchObject({ code: 'POOL_CLOSED' });
  });
});
