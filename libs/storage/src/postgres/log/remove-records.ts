import type { Connection } from '../connection/database.js';
import { SPAN } from './seal-records.js';

const BATCH_SIZE = 10_000;

export interface RemovedRecords {
  readonly count: number;
  /** Whether there may be more to remove. */
  readonly isPartial: boolean;
}

/**
 * Removes the oldest records up to the first that is kept, at most 10,000 of them. The log then begins behind them, in the
 * same transaction.
 */
export async function removeRecords(
  transaction: Connection,
  before: Date,
  through = Number.MAX_SAFE_INTEGER,
): Promise<RemovedRecords> {
  const removed = await lockRemoved(transaction);
  const oldest = await transaction
    .selectFrom('log_records')
    .select(['position', 'seal', 'at'])
    .where('position', '>', removed.position)
    .orderBy('position')
    .limit(BATCH_SIZE)
    .execute();
  const kept = oldest.findIndex(({ position, at }) => at >= before || position > through);
  const outdated = kept === -1 ? oldest : oldest.slice(0, kept);
  const last = outdated.at(-1);
  if (!last) {
    return { count: 0, isPartial: false };
  }
  await transaction.deleteFrom('log_records').where('position', '<=', last.position).execute();
  await transaction
    .deleteFrom('log_spans')
    .where('span', '<', Math.floor((last.position + 1) / SPAN))
    .execute();
  await transaction
    .updateTable('log_ends')
    .set({ position: last.position, seal: last.seal })
    .where('name', '=', 'removed')
    .execute();
  return { count: outdated.length, isPartial: outdated.length === BATCH_SIZE };
}

function lockRemoved(transaction: Connection): Promise<{ position: number }> {
  return transaction
    .selectFrom('log_ends')
    .select('position')
    .where('name', '=', 'removed')
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
}
