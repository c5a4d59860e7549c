import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { verifyLog } from '@palisade/domain';
import { LogSeals } from '@palisade/platform';
import { MemoryStore } from '@palisade/storage';
import { MemorySink, append, recordOf } from '../../test/support/log-samples.js';
import type { ControlPlaneSettings } from '../config/control-plane-settings.js';
import { LogRetention } from './log-retention.js';
import { LogExporter } from './log-exporter.js';
import { verifyExport } from './verify-export.js';

const NOW = new Date('2026-11-20T00:00:00Z');
const { signal } = new AbortController();

/** Keeps records for ten days. */
const SETTINGS = {
  compliance: { frameworks: [], piiEncryption: false, auditRetentionDays: 10 },
} as unknown as ControlPlaneSettings;

function daysAgo(days: number): Date {
  return new Date(NOW.getTime() - days * 86_400_000);
}

describe(LogRetention.name, () => {
  let store: MemoryStore;
  let sink: MemorySink;
  let retention: LogRetention;

  beforeEach(async () => {
    jest.spyOn(Logger.prototype, 'log').mockReturnValue();
    store = new MemoryStore();
    sink = new MemorySink();
    retention = new LogRetention(store, SETTINGS, new LogExporter(store.log, new LogSeals(store), sink));
    await append(
      store.log,
      [12, 11, 10, 9].map((days) => recordOf({ timestamp: daysAgo(days) })),
    );
  });

  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('removes what is older than the days that are set, and records that it did', async () => {
    const outcome = await new LogRetention(store, SETTINGS).applyRetention(NOW, signal);

    await store.log.seal();
    const [third, , removal] = await store.log.list({ limit: 10 });
    const ends = await store.log.ends();
    expect(outcome).toEqual({ removed: 2 });
    expect(third).toMatchObject({ position: 3, timestamp: daysAgo(10) });
    expect(removal).toMatchObject({
      timestamp: NOW,
      userId: 'control-plane',
      action: 'log.remove',
      resource: 'log',
      detail: { records: 2, before: daysAgo(10).toISOString(), through: 2, seal: ends.removed.seal },
    });
    const left = await store.log.list({ limit: 10 });
    expect(await verifyLog(left, ends.removed)).toEqual({ isValid: true, records: 3, head: ends.head });
  });

  it('records nothing when nothing is too old', async () => {
    const outcome = await new LogRetention(store, SETTINGS).applyRetention(daysAgo(3), signal);

    expect(outcome).toEqual({ removed: 0 });
    expect((await store.log.ends()).head.position).toBe(4);
  });

  it('exports before it removes', async () => {
    expect(await retention.applyRetention(NOW, signal)).toEqual({ removed: 2, exported: { records: 4, through: 4 } });
    expect(await verifyExport(sink)).toMatchObject({ isValid: true, first: 1, last: 4 });
  });

  it('removes nothing while it cannot export', async () => {
    sink.isAway = true;

    await expect(retention.applyRetention(NOW, signal)).rejects.toMatchObject({ code: 'AUDIT_BACKEND_UNAVAILABLE' });
    expect((await store.log.ends()).removed.position).toBe(0);
  });

  it('removes nothing that came after the export', async () => {
    const create = sink.create.bind(sink);
    jest.spyOn(sink, 'create').mockImplementationOnce(async (name, text) => {
      await append(store.log, [recordOf({ timestamp: daysAgo(100) })]);
      return create(name, text);
    });

    const outcome = await retention.applyRetention(daysAgo(-10), signal);

    expect(outcome).toEqual({ removed: 4, exported: { records: 4, through: 4 } });
    await store.log.seal();
    expect((await store.log.list({ limit: 10 })).map(({ position }) => position)).toEqual([5, 6]);
  });

  it('removes nothing once its term has ended', async () => {
    expect(await retention.applyRetention(NOW, AbortSignal.abort())).toMatchObject({ removed: 0 });
    expect((await store.log.ends()).removed.position).toBe(0);
  });
});
