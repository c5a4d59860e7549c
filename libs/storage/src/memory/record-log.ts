import {
  LOG_START,
  sealRecords,
  type LogEnds,
  type LogPoint,
  type LogQuery,
  type LogRecord,
  type SealedRecord,
  type UnsealedRecords,
} from '@palisade/domain';
import { storableRecord } from '../storable-record.js';

const MAX_SEALED_AT_ONCE = 1000;

/** The latest records: beyond `maxRecords` the oldest are removed. */
export class RecordLog {
  private unsealedRecords: LogRecord[] = [];
  private unsealedSince: Date | undefined;
  private readonly records: SealedRecord[] = [];
  /** Index of the first record that has not been removed. */
  private first = 0;
  private head: LogPoint = LOG_START;
  private removed: LogPoint = LOG_START;
  /** Hash of the last record of each scope. */
  private readonly scopes = new Map<string, string>();
  private readonly readers = new Map<string, LogPoint>();

  constructor(private readonly maxRecords: number) {}

  append(records: readonly LogRecord[]): void {
    const storable = records.map(storableRecord);
    this.unsealedSince ??= storable.length > 0 ? new Date() : undefined;
    this.unsealedRecords.push(...storable);
  }

  seal(): number {
    const sealed = sealRecords(this.unsealedRecords.splice(0, MAX_SEALED_AT_ONCE), this.head, this.scopes);
    for (const record of sealed) {
      this.records.push(record);
      this.scopes.set(record.scope, record.hash);
      this.head = pointOf(record);
    }
    this.unsealedSince = this.unsealedRecords.length > 0 ? new Date() : undefined;
    this.removeFirst(this.size - this.maxRecords);
    return sealed.length;
  }

  unsealed(): UnsealedRecords {
    const count = this.unsealedRecords.length;
    return { count, ...(this.unsealedSince && { oldest: this.unsealedSince }) };
  }

  ends(): LogEnds {
    return { removed: this.removed, head: this.head };
  }

  list(query: LogQuery): SealedRecord[] {
    const { after = 0, before = Infinity, order = 'asc', limit } = query;
    const found: SealedRecord[] = [];
    const lowest = this.first + Math.max(0, after - this.removed.position);
    const highest = Math.min(this.records.length, this.first + before - this.removed.position - 1) - 1;
    const step = order === 'asc' ? 1 : -1;
    const start = order === 'asc' ? lowest : highest;
    for (let index = start; index >= lowest && index <= highest && found.length < limit; index += step) {
      const record = this.records[index];
      if (record && selects(query, record)) {
        found.push({ ...record, timestamp: new Date(record.timestamp) });
      }
    }
    return found;
  }

  removeBefore(before: Date, through = Infinity): number {
    const isKept = (record: SealedRecord) => record.timestamp >= before || record.position > through;
    const kept = this.records.findIndex((record, index) => index >= this.first && isKept(record));
    const count = kept === -1 ? this.size : kept - this.first;
    this.removeFirst(count);
    return count;
  }

  readThrough(): number | undefined {
    return this.readers.size === 0 ? undefined : Math.min(...this.readers.values().map(({ position }) => position));
  }

  findReader(name: string): LogPoint | undefined {
    return this.readers.get(name);
  }

  moveReader(name: string, point: LogPoint): void {
    if (point.position > (this.readers.get(name)?.position ?? -1)) {
      this.readers.set(name, { position: point.position, seal: point.seal });
    }
  }

  private get size(): number {
    return this.records.length - this.first;
  }

  private removeFirst(count: number): void {
    const last = this.records[this.first + count - 1];
    if (count <= 0 || !last) {
      return;
    }
    this.removed = pointOf(last);
    this.first += count;
    // Only now and then, as it moves everything that is left.
    if (this.first > this.records.length / 2) {
      this.records.splice(0, this.first);
      this.first = 0;
    }
  }
}

function pointOf({ position, seal }: SealedRecord): LogPoint {
  return { position, seal };
}

function selects(query: LogQuery, record: SealedRecord): boolean {
  const { since, until, userId, action, provider, tenantId, namespace, namespaces } = query;
  return (
    (since === undefined || record.timestamp >= since) &&
    (until === undefined || record.timestamp < until) &&
    (userId === undefined || record.userId === userId) &&
    (action === undefined || record.action === action) &&
    (provider === undefined || record.provider === provider) &&
    (tenantId === undefined || record.tenantId === tenantId) &&
    (namespace === undefined || record.namespace === namespace) &&
    (namespaces === undefined || (record.namespace !== undefined && namespaces.includes(record.namespace)))
  );
}
