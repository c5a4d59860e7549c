import { describe, expect, it } from '@jest/globals';
import type { CapDemand, CapPart } from './cap-parts.js';
import { divideCap, EMPTY_CAP_LEDGER, releaseCap, type CapLedger } from './cap-ledger.js';

/** A ledger, and proxies that go by what they are told. */
class Cluster {
  ledger: CapLedger = EMPTY_CAP_LEDGER;
  nowMs = 1_000_000;
  readonly parts = new Map<string, CapPart>();

  constructor(public cap: number) {}

  report(proxy: string, demand: Partial<CapDemand> = {}, instance = '1'): CapPart {
    const { sequence, limit = 0 } = this.parts.get(proxy + instance) ?? {};
    const full = { sequence, limit, in_use: 0, waiting: 0, least: 1, hold_seconds: 10, ...demand };
    const report = { proxy, instance, demand: full, cap: this.cap };
    const { ledger, part } = divideCap(this.ledger, report, this.nowMs);
    this.ledger = ledger;
    this.parts.set(proxy + instance, part);
    return part;
  }
}

describe(divideCap, () => {
  it('gives a proxy that is alone half of the cap, and what it needs', () => {
    const cluster = new Cluster(100);

    expect(cluster.report('a')).toEqual({
      sequence: 1,
      limit: 50,
      valid_seconds: 18.81,
      base: 50,
      base_valid_seconds: 880.11,
    });
    expect(cluster.report('a', { waiting: 60 })).toMatchObject({ sequence: 2, limit: 75, base: 50 });
    expect(cluster.report('a', { in_use: 75, waiting: 60 })).toMatchObject({ limit: 100, base: 50 });
  });

  it('takes from one what others need, but gives it only when it has been given back', () => {
    const cluster = new Cluster(10);
    cluster.report('a', { waiting: 10 });

    expect(cluster.report('b', { waiting: 10 })).toMatchObject({ limit: 0 });
    expect(cluster.report('a', { in_use: 10 })).toMatchObject({ limit: 5 });
    expect(cluster.report('b', { waiting: 10 })).toMatchObject({ limit: 0 });
    cluster.report('a', { limit: 7, in_use: 7 });
    expect(cluster.report('b', { waiting: 10 })).toMatchObject({ limit: 3 });
    cluster.report('a', { limit: 5, in_use: 5 });
    expect(cluster.report('b', { in_use: 3, waiting: 7 })).toMatchObject({ limit: 5, base: 2 });
  });

  it('leaves a proxy what nobody else needs', () => {
    const cluster = new Cluster(100);
    cluster.report('a', { waiting: 60 });
    cluster.report('b');

    expect(cluster.report('a', { in_use: 1 })).toMatchObject({ limit: 75 });
  });

  it('does not take back on a report that is older than a part that it has sent', () => {
    const cluster = new Cluster(10);
    const { sequence } = cluster.report('a', { waiting: 10 });
    cluster.report('b', { waiting: 10 });
    expect(cluster.report('a', { in_use: 10 })).toMatchObject({ limit: 5 });

    cluster.report('a', { sequence, limit: 1 });

    expect(cluster.ledger.entries).toMatchObject([{ proxy: 'b' }, { proxy: 'a', granted: 10 }]);
  });

  it('leaves a silent proxy the larger base until it is known to go by the smaller', () => {
    const cluster = new Cluster(10);
    cluster.report('a');
    cluster.report('b');
    expect(cluster.report('a')).toMatchObject({ base: 2 });
    expect(cluster.ledger.entries).toMatchObject([{ proxy: 'b' }, { proxy: 'a', base: 5 }]);

    cluster.report('a');
    expect(cluster.ledger.entries).toMatchObject([{ proxy: 'b' }, { proxy: 'a', base: 2 }]);
  });

  it('has each proxy able to have its least while that fits', () => {
    const cluster = new Cluster(10);
    cluster.report('a', { least: 4 });

    expect(cluster.report('b', { least: 4 })).toMatchObject({ limit: 4, base: 4 });
    expect(cluster.report('a', { least: 4 })).toMatchObject({ base: 4 });
  });

  it('says why a proxy has nothing', () => {
    const cluster = new Cluster(1);
    cluster.report('a');

    expect(cluster.report('b')).toMatchObject({ limit: 0, reason: '2 proxies share the cap of 1 connections' });
    cluster.cap = 2;
    cluster.report('a', { waiting: 2 });
    cluster.cap = 3;
    cluster.report('c');
    cluster.cap = 2;
    expect(cluster.report('d')).toMatchObject({ limit: 0 });
  });

  it('has the successor of a process wait for what that one may still have', () => {
    const cluster = new Cluster(10);
    cluster.report('a', { waiting: 10 });

    expect(cluster.report('a', { waiting: 10 }, '2')).toMatchObject({
      limit: 0,
      reason: 'the other processes have, or may still have, all 10 connections of the cap',
    });
    cluster.nowMs += 31_000;
    expect(cluster.report('a', { waiting: 10 }, '2')).toMatchObject({ limit: 5, base: 0 });
    cluster.nowMs += 870_000;
    expect(cluster.report('a', { in_use: 5, waiting: 10 }, '2')).toMatchObject({ limit: 10, base: 5 });
  });

  it('lets a proxy that crashes again and again take from itself only', () => {
    const cluster = new Cluster(20);
    for (let instance = 0; instance < 50; instance++) {
      cluster.report('crashing', { waiting: 30 }, String(instance));
      cluster.report('sound', { waiting: 30 });
      cluster.report('sound', { in_use: 10, waiting: 20 });
      cluster.nowMs += 5000;
    }

    expect(cluster.report('sound', { waiting: 30 }).limit).toBeGreaterThanOrEqual(8);
  });

  it('has what is too much given back when the cap becomes smaller', () => {
    const cluster = new Cluster(10);
    cluster.report('a', { waiting: 10 });
    cluster.cap = 4;

    expect(cluster.report('a', { in_use: 10 })).toMatchObject({ limit: 4, base: 2 });
    expect(cluster.ledger.entries).toMatchObject([{ granted: 10 }]);
    cluster.report('a', { in_use: 4 });
    expect(cluster.ledger.entries).toMatchObject([{ granted: 4 }]);
  });

  it('believes a process of which it knows less than that one was sent', () => {
    const cluster = new Cluster(10);
    cluster.report('a', { sequence: 7, limit: 8, in_use: 6 });

    expect(cluster.ledger.entries).toMatchObject([{ sequence: 8, granted: 8 }]);
    expect(cluster.report('b', { waiting: 10 })).toMatchObject({ limit: 2 });
  });

  it('believes it also beyond what it would be given', () => {
    const cluster = new Cluster(10);
    cluster.report('a', { sequence: 7, limit: 9, in_use: 2 });

    expect(cluster.ledger.entries).toMatchObject([{ granted: 9, base: 9 }]);
    expect(cluster.report('b', { waiting: 10 })).toMatchObject({ limit: 1 });
  });

  it('ends no lease earlier because a clock was set back, or a backend is said to hold for less long', () => {
    const cluster = new Cluster(10);
    cluster.report('a', { hold_seconds: 100 });
    const [before] = cluster.ledger.entries;
    cluster.nowMs -= 3_600_000;
    cluster.report('a', { hold_seconds: 0 });

    expect(cluster.ledger).toMatchObject({ atMs: 1_000_000, entries: [{ untilMs: before?.untilMs }] });
    cluster.report('b');
    expect(cluster.ledger.entries[1]?.untilMs).toBe(1_030_000);
  });

  it('keeps what a backend may hold for longer than usual', () => {
    const cluster = new Cluster(10);

    expect(cluster.report('a', { hold_seconds: 3600 })).toMatchObject({
      valid_seconds: 14.85,
      base_valid_seconds: 14.85,
    });
    cluster.nowMs += 3_610_000;
    expect(cluster.report('b', { waiting: 10 })).toMatchObject({ limit: 5 });
  });

  it('frees what a proxy has when it is known to have no connections', () => {
    const cluster = new Cluster(10);
    cluster.report('a', { waiting: 10 });
    cluster.ledger = releaseCap(cluster.ledger, 'a');

    expect(cluster.report('b', { waiting: 10 })).toMatchObject({ limit: 10 });
  });
});
