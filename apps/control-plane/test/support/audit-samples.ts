import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ActionRecord, ActionStore } from '@palisade/domain';
import { SegmentSink } from '../../src/audit/export/segment-sink.js';
import { SinkUnavailableError } from '../../src/audit/export/sink-unavailable.error.js';

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

export function actionOf(overrides: Partial<ActionRecord> = {}): ActionRecord {
  return {
    timestamp: new Date('2026-11-20T08:30:00Z'),
    userId: 'ann@example.com',
    action: 'tenant.register',
    resource: 'tenant:acme',
    result: 'success',
    ...overrides,
  };
}

/** Records `n` = 1, 2 … in their detail. */
export async function appendActions(actions: ActionStore, count: number, overrides: Partial<ActionRecord> = {}) {
  await actions.append(
    Array.from({ length: count }, (_, index) => actionOf({ detail: { n: index + 1 }, ...overrides })),
  );
}

/** An empty directory that is removed when the returned object is disposed of. */
export async function temporaryDirectory(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'palisade-audit-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
