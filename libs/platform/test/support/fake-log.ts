import {
  LOG_START,
  LogStore,
  sealRecords,
  type LogEnds,
  type LogPoint,
  type LogQuery,
  type LogRecord,
  type SealedRecord,
  type Store,
  type UnsealedRecords,
} from '@palisade/domain';

/** A log that seals what it is given at once. It knows no filters. */
export class FakeLog extends LogStore {
  sealed: SealedRecord[] = [];
  private removed: LogPoint = LOG_START;

  override async append(records: readonly LogRecord[]): Promise<void> {
    const hashes = new Map(this.sealed.map(({ scope, hash }) => [scope, hash]));
    this.sealed.push(...sealRecords(records, this.head, hashes));
  }

  override async seal(): Promise<number> {
    return 0;
  }

  override async list({ after = 0, before = Infinity, order = 'asc', limit }: LogQuery): Promise<SealedRecord[]> {
    const found = this.sealed.filter(({ position }) => position > after && position < before);
    return (order === 'asc' ? found : found.toReversed()).slice(0, limit);
  }

  override async ends(): Promise<LogEnds> {
    return { removed: this.removed, head: this.head };
  }

  override async unsealed(): Promise<UnsealedRecords> {
    return { count: 0 };
  }

  override async removeBefore(before: Date): Promise<number> {
    const removed = this.sealed.filter(({ timestamp }) => timestamp < before);
    const { position, seal } = removed.at(-1) ?? this.removed;
    this.removed = { position, seal };
    this.sealed = this.sealed.slice(removed.length);
    return removed.length;
  }

  override async readThrough(): Promise<undefined> {}

  override async findReader(): Promise<undefined> {
    return undefined;
  }

  override async moveReader(): Promise<void> {}

  private get head(): LogPoint {
    const { position, seal } = this.sealed.at(-1) ?? this.removed;
    return { position, seal };
  }
}

/** A store with a log, and one signing key. */
export function fakeStore(log: LogStore = new FakeLog()): Store {
  let key: string | undefined;
  const getOrCreateSigningKey = async (_: unknown, propose: () => Promise<string>): Promise<string> =>
    (key ??= await propose());
  return { log, providers: { getOrCreateSigningKey } } as unknown as Store;
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

export function recordsOf(count: number, overrides: Partial<LogRecord> = {}): LogRecord[] {
  return Array.from({ length: count }, (_, index) => recordOf({ detail: { n: index + 1 }, ...overrides }));
}
