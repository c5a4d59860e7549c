import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { HeldLease, LogPoint } from '@palisade/domain';
import { MemoryStore } from '@palisade/storage';
import { MemorySink, appendSealed } from '../../test/support/log-samples.js';
import type { ControlPlaneSettings } from '../config/control-plane-settings.js';
import { LogRetention } from './log-retention.js';
import { LogDuty } from './log.duty.js';
import { LogExporter } from './log-exporter.js';

const SETTINGS = {
  compliance: { frameworks: [], piiEncryption: false, auditRetentionDays: 10 },
} as unknown as ControlPlaneSettings;

/** Signs without another thread, which fake timers do not wait for. */
const sign = async (point: LogPoint, time: Date) => ({ ...point, time, signature: 'signed' });

describe(LogDuty.name, () => {
  let store: MemoryStore;
  let sink: MemorySink;
  let duty: LogDuty;
  let term: AbortController;
  let lease: HeldLease;
  let running: Promise<void>;

  beforeEach(async () => {
    jest.useFakeTimers({ now: Date.UTC(2026, 10, 20) });
    jest.spyOn(Logger.prototype, 'error').mockReturnValue();
    store = new MemoryStore();
    sink = new MemorySink();
    duty = new LogDuty(store, new LogRetention(store, SETTINGS, new LogExporter(store.log, { sign }, sink)));
    term = new AbortController();
    lease = await store.leases.acquire('leader', 'replica-1', 60_000);
    running = Promise.resolve();
  });

  afterEach(async () => {
    term.abort();
    await running;
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  async function begin(): Promise<void> {
    running = duty.run({ signal: term.signal, lease: () => lease, isHeld: () => true });
    await jest.advanceTimersByTimeAsync(0);
  }

  async function status() {
    return (await store.operations.statuses()).map(({ component, holder, detail }) => ({ component, holder, detail }));
  }

  it('exports at once, and then every five minutes', async () => {
    await appendSealed(store.log, 2);
    await begin();
    expect(sink.segments.size).toBe(1);

    await appendSealed(store.log, 2);
    await jest.advanceTimersByTimeAsync(299_000);
    expect(sink.segments.size).toBe(1);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(sink.segments.size).toBe(2);
  });

  it('reports what it has done', async () => {
    await appendSealed(store.log, 2);
    await begin();

    const detail = { removed: 0, exported: 2, exported_through: 2 };
    expect(await status()).toEqual([{ component: 'audit', holder: 'replica-1', detail }]);
  });

  it('reports what goes wrong, and tries again after half a minute', async () => {
    await appendSealed(store.log, 2);
    sink.isAway = true;
    await begin();
    expect(await status()).toMatchObject([{ detail: { error: expect.stringContaining('cannot be reached') } }]);

    sink.isAway = false;
    await jest.advanceTimersByTimeAsync(30_000);
    expect(await status()).toMatchObject([{ detail: { exported_through: 2 } }]);
  });

  it('survives an outage of the store', async () => {
    const ends = store.log.ends.bind(store.log);
    const closed = new MemoryStore();
    await closed.close();
    jest.spyOn(store.log, 'ends').mockImplementationOnce(() => closed.log.ends());
    jest.spyOn(store.operations, 'report').mockImplementationOnce((status) => closed.operations.report(status, lease));
    await appendSealed(store.log, 2);
    await begin();
    expect((await ends()).head.position).toBe(2);

    await jest.advanceTimersByTimeAsync(30_000);
    expect(sink.segments.size).toBe(1);
  });

  it('ends with its term', async () => {
    await begin();

    term.abort();

    await expect(running).resolves.toBeUndefined();
  });
});
