import {
  CapStore,
  currentEntries,
  divideCap,
  EMPTY_CAP_LEDGER,
  releaseCap,
  type BackendReport,
  type CapLedger,
  type CapPart,
  type PoolName,
  type ProxyId,
  type StoredCapLedger,
} from '@palisade/domain';
import { sql } from 'kysely';
import type { Connection, Database } from '../connection/database.js';

const NOW_MS = sql<number>`extract(epoch from clock_timestamp())::float8 * 1000`;

/** Each ledger is a row, which is locked while it is changed. */
export class PostgresCapStore extends CapStore {
  constructor(private readonly database: Database) {
    super();
  }

  override report(pool: PoolName, reports: readonly BackendReport[]): Promise<CapPart[]> {
    // In one order, so that two transactions never wait for each other.
    const backends = [...new Set(reports.map(({ backend }) => backend))].toSorted();
    return this.database.transaction(async (transaction) => {
      const parts = new Map<BackendReport, CapPart>();
      for (const backend of backends) {
        await changeLedger(transaction, pool, backend, (ledger, nowMs) =>
          reports
            .filter((report) => report.backend === backend)
            .reduce((before, report) => {
              const divided = divideCap(before, report, nowMs);
              parts.set(report, divided.part);
              return divided.ledger;
            }, ledger),
        );
      }
      return reports.flatMap((report) => parts.get(report) ?? []);
    });
  }

  override release(proxy: ProxyId): Promise<void> {
    return this.database.transaction(async (transaction) => {
      const rows = await transaction
        .selectFrom('cap_ledgers')
        .selectAll()
        .orderBy('pool')
        .orderBy('backend')
        .forUpdate()
        .execute();
      for (const { pool, backend, ledger } of rows) {
        await writeLedger(transaction, pool, backend, releaseCap(ledger, proxy));
      }
    });
  }

  override async ledgers(): Promise<StoredCapLedger[]> {
    const rows = await this.database.run((connection) =>
      connection
        .selectFrom('cap_ledgers')
        .selectAll()
        .select(NOW_MS.as('now_ms'))
        .orderBy(sql`pool collate "C"`)
        .orderBy(sql`backend collate "C"`)
        .execute(),
    );
    return rows.map(({ pool, backend, ledger, now_ms: nowMs }) => {
      return { pool, backend, ledger: { ...ledger, entries: currentEntries(ledger, nowMs) } };
    });
  }
}

/** Reads a ledger, made if need be, and keeps its row locked until the transaction ends. */
async function changeLedger(
  transaction: Connection,
  pool: PoolName,
  backend: string,
  change: (ledger: CapLedger, nowMs: number) => CapLedger,
): Promise<void> {
  const lock = () =>
    transaction
      .selectFrom('cap_ledgers')
      .select(['ledger', NOW_MS.as('now_ms')])
      .where('pool', '=', pool)
      .where('backend', '=', backend)
      .forUpdate()
      .executeTakeFirst();
  let row = await lock();
  if (row === undefined) {
    const empty = { pool, backend, ledger: JSON.stringify(EMPTY_CAP_LEDGER) };
    await transaction
      .insertInto('cap_ledgers')
      .values(empty)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    row = await lock();
  }
  if (row === undefined) {
    throw new Error(`there is no ledger of "${backend}" in the pool "${pool}" after it was made`);
  }
  await writeLedger(transaction, pool, backend, change(row.ledger, row.now_ms));
}

async function writeLedger(transaction: Connection, pool: PoolName, backend: string, ledger: CapLedger): Promise<void> {
  await transaction
    .updateTable('cap_ledgers')
    .set({ ledger: JSON.stringify(ledger) })
    .where('pool', '=', pool)
    .where('backend', '=', backend)
    .execute();
}
