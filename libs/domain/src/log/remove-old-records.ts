import type { LogStore } from './log-store.js';

export interface RemoveOldRecords {
  /** Records of this time or later are kept. */
  readonly before: Date;
  /** The last position that may be removed. */
  readonly through?: number;
  /** Who removes them. */
  readonly actor: string;
  readonly now: Date;
}

/**
 * Removes the oldest records of a log and returns how many. The removal is a record of its own, with the seal behind which
 * the log now begins.
 *
 * @throws {StoreUnavailableError}
 */
export async function removeOldRecords(
  log: LogStore,
  { before, through, actor, now }: RemoveOldRecords,
): Promise<number> {
  const records = await log.removeBefore(before, through);
  if (records > 0) {
    const { removed } = await log.ends();
    const detail = { records, before: before.toISOString(), through: removed.position, seal: removed.seal };
    await log.append([
      { timestamp: now, userId: actor, action: 'log.remove', resource: 'log', result: 'success', detail },
    ]);
  }
  return records;
}
