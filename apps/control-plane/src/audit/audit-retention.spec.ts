import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { MemoryStore } from '@palisade/storage';
import { MemorySink, actionOf } from '../../test/support/audit-samples.js';
import type { ControlPlaneSettings } from '../config/control-plane-settings.js';
import { AuditRetention } from './audit-retention.js';
import { ChainVerification } from './chain/chain-verification.js';
import { AuditExporter } from './export/audit-exporter.js';
import { verifyExport } from './export/verify-export.js';

const NOW = new Date('2026-11-20T00:00:00Z');
const { signal } = new AbortController();

/** Keeps records for ten days. */
const SETTINGS = {
  compliance: { frameworks: [], piiEncryption: false, auditRetentionDays: 10 },
} as unknown as ControlPlaneSettings;

function daysAgo(days: number): Date {
  return new Date(NOW.getTime() - days * 86_400_000);
}

describe(AuditRetention.name, () => {
  let store: MemoryStore;
  let sink: MemorySink;
  let retention: AuditRetention;

  beforeEach(async () => {
    jest.spyOn(Logger.prototype, 'log').mockReturnValue();
    store = new MemoryStore();
    sink = new MemorySink();
    retention = new AuditRetention(store, SETTINGS, new AuditExporter(store.actions, sink));
    await store.actions.append([12, 11, 10, 9].map((days) => actionOf({ timestamp: daysAgo(days) })));
  });

  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('removes what is older than the days that are set, and records that it did', async () => {
    const outcome = await new AuditRetention(store, SETTINGS).applyRetention(NOW, signal);

    const [third, , removal] = await store.actions.list({ limit: 10 });
    expect(outcome).toEqual({ removed: 2 });
    expect(third).toMatchObject({ sequence: 3, timestamp: daysAgo(10) });
    expect(removal).toMatchObject({
      timestamp: NOW,
      userId: 'control-plane',
      action: 'audit.remove',
      resource: 'audit',
      detail: { records: 2, before: daysAgo(10).toISOString(), through: 2, hash: third?.previousHash },
    });
    expect(await new ChainVerification(store).verify()).toMatchObject({ isValid: true, records: 3, first: 3 });
  });

  it('records nothing when nothing is too old', async () => {
    const outcome = await new AuditRetention(store, SETTINGS).applyRetention(daysAgo(3), signal);

    expect(outcome).toEqual({ removed: 0 });
    expect((await store.actions.ends()).head.sequence).toBe(4);
  });

  it('exports before it removes', async () => {
    expect(await retention.applyRetention(NOW, signal)).toEqual({ removed: 2, exported: { records: 4, through: 4 } });
    expect(await verifyExport(sink)).toMatchObject({ isValid: true, first: 1, last: 4 });
  });

  it('removes nothing while it cannot export', async () => {
    sink.isAway = true;

    await expect(retention.applyRetention(NOW, signal)).rejects.toMatchObject({ code: 'AUDIT_BACKEND_UNAVAILABLE' });
    expect((await store.actions.ends()).start.sequence).toBe(1);
  });

  it('removes nothing that came after the export', async () => {
    const create = sink.create.bind(sink);
    jest.spyOn(sink, 'create').mockImplementationOnce(async (name, text) => {
      await store.actions.append([actionOf({ timestamp: daysAgo(100) })]);
      return create(name, text);
    });

    const outcome = await retention.applyRetention(daysAgo(-10), signal);

    expect(outcome).toEqual({ removed: 4, exported: { records: 4, through: 4 } });
    expect((await store.actions.list({ limit: 10 })).map(({ sequence }) => sequence)).toEqual([5, 6]);
  });

  it('removes nothing once its term has ended', async () => {
    expect(await retention.applyRetention(NOW, AbortSignal.abort())).toMatchObject({ removed: 0 });
    expect((await store.actions.ends()).start.sequence).toBe(1);
  });
});
