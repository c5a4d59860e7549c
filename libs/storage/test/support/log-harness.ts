import {
  readLog,
  verifyLog,
  type LogQuery,
  type LogRecord,
  type LogVerdict,
  type SealedRecord,
  type Store,
} from '@palisade/domain';

/** Seals everything that has been written. */
export async function sealAll({ log }: Pick<Store, 'log'>): Promise<void> {
  do {
    await log.seal();
  } while ((await log.unsealed()).count > 0);
}

/** What the log has, after everything was sealed. */
export async function listSealed(store: Pick<Store, 'log'>, query: Partial<LogQuery> = {}): Promise<SealedRecord[]> {
  await sealAll(store);
  return store.log.list({ limit: 1000, ...query });
}

/** Every record that there is, sealed or read before. */
export async function readAll({ log }: Pick<Store, 'log'>): Promise<SealedRecord[]> {
  const { removed, head } = await log.ends();
  const records: SealedRecord[] = [];
  for await (const record of readLog(log, removed, head)) {
    records.push(record);
  }
  return records;
}

export async function verifyAll({ log }: Pick<Store, 'log'>): Promise<LogVerdict> {
  const { removed, head } = await log.ends();
  return verifyLog(readLog(log, removed, head), removed);
}

/** As it was written. */
export function withoutPlace(sealed: SealedRecord): LogRecord {
  const { position: _position, scope: _scope, previousHash: _previous, hash: _hash, seal: _seal, ...record } = sealed;
  return record;
}
