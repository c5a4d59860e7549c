import { describe, expect, it } from '@jest/globals';
import { settled, VirtualClock } from '../../test/support/virtual-clock.js';
import { AuditTrail } from './audit-trail.js';

const DOWN = new Error('disk full');

function createTrail({ isMandatory = true, failures = 0 } = {}) {
  const clock = new VirtualClock();
  const batches: string[][] = [];
  const sink = { failuresLeft: failures, write };
  async function write(records: readonly string[]) {
    if (sink.failuresLeft-- > 0) {
      throw DOWN;
    }
    batches.push([...records]);
  }
  return { clock, batches, sink, trail: new AuditTrail<string>({ sink, isMandatory: () => isMandatory, clock }) };
}

describe(AuditTrail.name, () => {
  it('writes together what has come while it was writing', async () => {
    const { batches, trail } = createTrail();
    for (const record of ['a', 'b', 'c']) {
      trail.record(record);
    }
    await trail.flush();
    expect(batches).toEqual([['a'], ['b', 'c']]);
  });

  it('writes again, in order, what could not be written', async () => {
    const { clock, batches, trail } = createTrail({ failures: 2 });
    trail.record('a');
    await settled();
    trail.record('b');
    await clock.advance(100 + 200);
    expect(batches).toEqual([['a', 'b']]);
  });

  it('drops the oldest optional records when very many wait', async () => {
    const { trail } = createTrail({ isMandatory: false, failures: 1000 });
    for (let count = 0; count < 10_001; count++) {
      trail.record('a');
    }
    await settled();
    expect([trail.queued, trail.dropped]).toEqual([10_000, 1]);
  });

  it('drops no mandatory record', async () => {
    const { trail } = createTrail({ failures: 1000 });
    for (let count = 0; count < 10_001; count++) {
      trail.record('a');
    }
    await settled();
    expect([trail.queued, trail.dropped]).toEqual([10_001, 0]);
  });

  it('tells whoever makes a mandatory record that it could not be written, and keeps it', async () => {
    const { clock, batches, trail } = createTrail({ failures: 1 });
    await expect(trail.recordFirst('a')).rejects.toBe(DOWN);
    await clock.advance(100);
    expect(batches).toEqual([['a']]);
  });

  it('lets nobody wait for an optional record', async () => {
    const { trail } = createTrail({ isMandatory: false, failures: 1 });
    await expect(trail.recordFirst('a')).resolves.toBeUndefined();
  });

  it('flushes at once when nothing waits', async () => {
    const { trail } = createTrail();
    await expect(trail.flush()).resolves.toBeUndefined();
  });
});

describe(`${AuditTrail.name}: proof`, () => {
  it('asks the sink when nothing was written yet', async () => {
    const { batches, trail } = createTrail();
    await trail.prove();
    expect(batches).toEqual([[]]);
  });

  it('rejects when the sink takes nothing', async () => {
    const { trail } = createTrail({ failures: 1 });
    await expect(trail.prove()).rejects.toBe(DOWN);
  });

  it('asks no more within a second of a write', async () => {
    const { clock, batches, trail } = createTrail();
    await trail.recordFirst('a');
    await clock.advance(1000);
    await trail.prove();
    expect(batches).toEqual([['a']]);
    await clock.advance(1);
    await trail.prove();
    expect(batches).toEqual([['a'], []]);
  });

  it('rejects at once, without asking, while the sink fails', async () => {
    const { sink, trail } = createTrail({ failures: 1 });
    await trail.prove().catch(() => {});
    await expect(trail.prove()).rejects.toBe(DOWN);
    expect(sink.failuresLeft).toBe(0);
  });

  it('resolves again once the sink takes something', async () => {
    const { clock, trail } = createTrail({ failures: 1 });
    await trail.prove().catch(() => {});
    await clock.advance(100);
    await expect(trail.prove()).resolves.toBeUndefined();
  });
});
