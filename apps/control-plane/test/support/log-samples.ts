import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LogRecord, LogStore } from '@palisade/domain';
import { SinkUnavailableError } from '../../src/log/log.errors.js';
import { SegmentSink } from '../../src/log/segment-sink.js';

/** Keeps segments in memory; may be made to fail. */
export class MemorySink extends SegmentSink {
  override readonly location = 'memory:';
  readonly segments = new Map<string, string>();
  isAway = false;

  override async list(): Promise<string[]> {
    this.requireHere();
    return [...this.segments.keys()].toSorted();
  }

  override async read(name: string): Promise<string> {
    this.requireHere();
    return this.segments.get(name) ?? '';
  }

  override async create(name: string, text: string): Promise<boolean> {
    this.requireHere();
    if (this.segments.has(name)) {
      return false;
    }
    this.segments.set(name, text);
    return true;
  }

  override close(): void {
    // Nothing is kept open.
  }

  private requireHere(): void {
    if (this.isAway) {
      throw new SinkUnavailableError(this.location);
    }
  }
}

export function recordOf(overrides: Partial<LogRecord> = {}): LogRecord {
  return {
    timestamp: new Date('2026-11-20T08:30:00Z'),
    userId: 'ann@example.com',
    action: 'tenant.register',
    resource: 'tenant:acme',
    result: 'success',
    ...overrides,
  };
}

/** Writes and seals records that have `n` = 1, 2 … in their detail. */
export async function appendSealed(log: LogStore, count: number, overrides: Partial<LogRecord> = {}): Promise<void> {
  await append(
    log,
    Array.from({ length: count }, (_, index) => recordOf({ detail: { n: index + 1 }, ...overrides })),
  );
}

/** Writes and seals records. */
export async function append(log: LogStore, records: readonly LogRecord[]): Promise<void> {
  await log.append(records);
  while ((await log.unsealed()).count > 0) {
    await log.seal();
  }
}

/** An empty directory that is removed when the returned object is disposed of. */
export async function temporaryDirectory(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'palisade-audit-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
