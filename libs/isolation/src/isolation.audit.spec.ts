import { describe, expect, it } from '@jest/globals';
import { parseTenantId, type LogRecord } from '@palisade/domain';
import { ACME, ALICE, BOB, IsolationWorld, PER_NAMESPACE, PER_SESSION } from '../test/support/isolation-world.js';
import { settled } from '../test/support/virtual-clock.js';
import { Isolation } from './isolation.js';

const DOWN = new Error('disk full');
const LOGGED = { ...PER_NAMESPACE, audit: { log_actions: true } };
const MANDATORY = { ...PER_NAMESPACE, audit: { log_actions: true, mandatory: true } };
const nothing = async () => {};

describe(`${Isolation.name}: action records`, () => {
  it('tells who did what to what, for how many rows, and how it ended', async () => {
    const world = await IsolationWorld.create(LOGGED);
    const caller = { ...ALICE, userId: 'ann@example.com', tenantId: parseTenantId('acme-inc') };
    await world.finish(async ({ context }) => (context.countRows(2), context.countRows(3)), caller, {
      action: 'orders.list',
      resource: 'orders',
      piiAccessed: true,
    });
    expect(world.records).toEqual([
      {
        timestamp: new Date('2026-01-01T00:00:00.000Z'),
        tenantId: 'acme-inc',
        namespace: 'acme',
        userId: 'ann@example.com',
        action: 'orders.list',
        resource: 'orders',
        result: 'success',
        rowsAccessed: 5,
        piiAccessed: true,
        detail: { backend: 'fake', client_id: 'alice', duration_ms: 5 },
      },
    ]);
  });

  it('names the client, the backend and its use when nobody says more', async () => {
    const world = await IsolationWorld.create(LOGGED);
    await world.finish(nothing);
    expect(world.records).toEqual([
      {
        timestamp: new Date('2026-01-01T00:00:00.000Z'),
        namespace: 'acme',
        userId: 'alice',
        action: 'fake.use',
        resource: 'fake',
        result: 'success',
        detail: { backend: 'fake', client_id: 'alice', duration_ms: 5 },
      },
    ]);
  });

  it('names the session', async () => {
    const world = await IsolationWorld.create({ ...PER_SESSION, audit: { log_actions: true } });
    const caller = await world.openSession();
    await world.finish(nothing, caller);
    expect(world.records[0]?.sessionId).toBe(caller.session);
  });

  it('tells of work that failed, of work that was aborted and of work that got no connection', async () => {
    const world = await IsolationWorld.create(LOGGED);
    await world.finish(() => Promise.reject(DOWN)).catch(() => {});
    const controller = new AbortController();
    const running = world.run(async () => controller.abort(DOWN), ALICE, { signal: controller.signal });
    await world.after(running, 2000).catch(() => {});
    const aborted = new AbortController();
    const hanging = world.run(() => new Promise(() => {}), ALICE, { signal: aborted.signal });
    await world.clock.advance(10);
    const queued = world.run(nothing);
    await world.clock.advance(5000);
    await expect(queued).rejects.toMatchObject({ code: 'POOL_TIMEOUT' });
    aborted.abort();
    await world.after(hanging, 2000).catch(() => {});
    expect(world.results).toEqual(['failure OTHER', 'success', 'failure POOL_TIMEOUT', 'failure ABORTED']);
  });

  it('writes nothing unless told to', async () => {
    const world = await IsolationWorld.create(PER_NAMESPACE);
    await world.finish(nothing);
    expect(world.records).toEqual([]);
  });

  it('demands a sink', async () => {
    await expect(IsolationWorld.create(LOGGED, { actionSink: undefined })).rejects.toThrow(
      'audit.log_actions: expected a sink for the records',
    );
  });

  it('keeps nothing in a record that some store could not keep', async () => {
    const world = await IsolationWorld.create(LOGGED);
    const caller = { ...ALICE, userId: 'ann\u0000\r\n\ud800' };
    await world.finish(nothing, caller, { resource: 'x'.repeat(5000) });
    expect(world.records[0]?.userId).toBe('ann\ufffd\ufffd\ufffd\ufffd');
    expect(world.records[0]?.resource).toHaveLength(1024);
  });

  it('does not let work wait for an optional record', async () => {
    const world = await IsolationWorld.create(LOGGED);
    world.sinkFailure = DOWN;
    await expect(world.finish(async () => 1)).resolves.toBe(1);
    world.sinkFailure = undefined;
    await world.clock.advance(200);
    expect(world.results).toEqual(['success']);
  });
});

describe(`${Isolation.name}: denials on record`, () => {
  const LIMITED = { ...LOGGED, resource_limits: { per_namespace: { max_rps: 1 } } };

  it('tells of the first rejection at once, and of those within a second after it together', async () => {
    const world = await IsolationWorld.create(LIMITED);
    await world.finish(nothing);
    for (let count = 0; count < 50; count++) {
      await world.run(nothing).catch(() => {});
    }
    await settled();
    expect(world.results).toEqual(['success', 'denied RATE_LIMITED']);
    await world.clock.advance(1000);
    expect(world.records.slice(2).map(({ result, detail }) => [result, detail?.['denials']])).toEqual([['denied', 49]]);
  });

  it('tells of each namespace', async () => {
    const world = await IsolationWorld.create(LIMITED);
    for (const caller of [ALICE, ALICE, BOB, BOB]) {
      await world.finish(nothing, caller).catch(() => {});
    }
    const denied = world.records.filter(({ result }) => result === 'denied');
    expect(denied.map(({ namespace }) => namespace)).toEqual(['acme', 'bolt']);
  });

  it('tells of the last ones when the app shuts down', async () => {
    const world = await IsolationWorld.create(LIMITED);
    await world.finish(nothing);
    for (let count = 0; count < 3; count++) {
      await world.run(nothing).catch(() => {});
    }
    await world.after(world.close());
    expect(world.records.at(-1)?.detail).toMatchObject({ code: 'RATE_LIMITED', denials: 2 });
  });

  it('tells once of a session that the caller does not have', async () => {
    const world = await IsolationWorld.create({ ...PER_SESSION, audit: { log_actions: true } });
    const { session } = await world.openSession();
    await world.finish(nothing, { ...BOB, session }).catch(() => {});
    expect(world.results).toEqual(['denied SESSION_NOT_FOUND']);
  });
});

describe(`${Isolation.name}: mandatory records`, () => {
  it('begins no work while the sink takes nothing, not even the first', async () => {
    const world = await IsolationWorld.create(MANDATORY);
    world.sinkFailure = DOWN;
    let begun = 0;
    const work = async () => void begun++;
    for (let count = 0; count < 3; count++) {
      await expect(world.finish(work)).rejects.toMatchObject({ code: 'AUDIT_UNAVAILABLE', cause: DOWN });
    }
    expect([begun, world.driver.attempts]).toEqual([0, 0]);
  });

  it('begins work again once the sink takes something', async () => {
    const world = await IsolationWorld.create(MANDATORY);
    world.sinkFailure = DOWN;
    await world.finish(nothing).catch(() => {});
    world.sinkFailure = undefined;
    await world.clock.advance(5000);
    await expect(world.finish(async () => 1)).resolves.toBe(1);
    expect(world.results).toEqual(['denied AUDIT_UNAVAILABLE', 'success']);
  });

  it('gives nobody a result before its record is written', async () => {
    const written = Promise.withResolvers<void>();
    const records: LogRecord[] = [];
    const actionSink = {
      async write(batch: readonly LogRecord[]) {
        records.push(...batch);
        await (batch.length > 0 ? written.promise : undefined);
      },
    };
    const world = await IsolationWorld.create(MANDATORY, { actionSink });
    let isTold = false;
    const running = world.run(async () => 1).then(() => (isTold = true));
    await world.clock.advance(10);
    expect([records.length, isTold]).toEqual([1, false]);
    written.resolve();
    await running;
  });

  it('gives the result, keeps the record and begins no more when the sink fails meanwhile', async () => {
    const world = await IsolationWorld.create(MANDATORY);
    await expect(world.finish(async () => (world.sinkFailure = DOWN))).resolves.toBe(DOWN);
    await expect(world.finish(nothing)).rejects.toMatchObject({ code: 'AUDIT_UNAVAILABLE' });
    world.sinkFailure = undefined;
    await world.clock.advance(5000);
    expect(world.results.toSorted()).toEqual(['denied AUDIT_UNAVAILABLE', 'success']);
  });

  it('waits five seconds for a sink that does not answer', async () => {
    const actionSink = { write: () => new Promise<never>(() => {}) };
    const world = await IsolationWorld.create(MANDATORY, { actionSink });
    const running = world.run(nothing);
    await world.clock.advance(5000);
    await expect(running).rejects.toMatchObject({ code: 'AUDIT_UNAVAILABLE' });
  });

  it('takes no request of a namespace for counted when no record can be written', async () => {
    const world = await IsolationWorld.create({ ...MANDATORY, resource_limits: { per_namespace: { max_rps: 1 } } });
    world.sinkFailure = DOWN;
    await world.finish(nothing).catch(() => {});
    expect(world.usage.find(ACME)).toMatchObject({ requests: 0, rejections: { AUDIT_UNAVAILABLE: 1 } });
  });
});
