import type { ChainHead } from '@palisade/domain';
import type { Connection } from '../connection/database.js';

const BATCH_SIZE = 10_000;

export interface RemovedActions {
  readonly count: number;
  /** Whether there may be more to remove. */
  readonly isPartial: boolean;
}

/**
 * Removes the oldest records up to the first that is kept, at most 10,000 of them. The chain then begins behind them, in
 * the same transaction.
 */
export async function removeActions(
  transaction: Connection,
  before: Date,
  through = Number.MAX_SAFE_INTEGER,
): Promise<RemovedActions> {
  const removed = await lockRemoved(transaction);
  const oldest = await transaction
    .selectFrom('action_records')
    .select(['sequence', 'hash', 'at'])
    .where('sequence', '>', removed.sequence)
    .orderBy('sequence')
    .limit(BATCH_SIZE)
    .execute();
  const kept = oldest.findIndex(({ sequence, at }) => at >= before || sequence > through);
  const outdated = kept === -1 ? oldest : oldest.slice(0, kept);
  const last = outdated.at(-1);
  if (!last) {
    return { count: 0, isPartial: false };
  }
  await transaction.deleteFrom('action_records').where('sequence', '<=', last.sequence).execute();
  await transaction
    .updateTable('action_chain')
    .set({ sequence: last.sequence, hash: last.hash })
    .where('name', '=', 'removed')
    .execute();
  return { count: outdated.length, isPartial: outdated.length === BATCH_SIZE };
}

function lockRemoved(transaction: Connection): Promise<ChainHead> {
  return transaction
    .selectFrom('action_chain')
    .select(['sequence', 'hash'])
    .where('name', '=', 'removed')
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
}
