import { createHash } from 'node:crypto';
import type { ActionRecord, ChainHead, ChainStart, ChainedActionRecord } from '@palisade/domain';
import { canonicalAction } from './canonical-action.js';

/** What the first record of a chain has before it. */
export const GENESIS: ChainHead = { sequence: 0, hash: '0'.repeat(64) };

export type ChainVerdict =
  | { readonly isValid: true; readonly records: number; readonly head: ChainHead }
  | {
      readonly isValid: false;
      /** Good ones, before the break. */
      readonly records: number;
      /** The first sequence at which the chain is not what it was. */
      readonly brokenAt: number;
      /** A record is missing or came in between, does not follow on the one before, or was changed. */
      readonly reason: 'sequence' | 'previous_hash' | 'hash';
    };

/** The record that follows on `previous`, with its place and hash. */
export function chainRecord(previous: ChainHead, record: ActionRecord): ChainedActionRecord {
  const chained = { ...record, sequence: previous.sequence + 1, previousHash: previous.hash };
  return { ...chained, hash: hashOf(chained) };
}

/** The records that follow on `previous`, each on the one before. */
export function chainRecords(previous: ChainHead, records: readonly ActionRecord[]): ChainedActionRecord[] {
  const chained: ChainedActionRecord[] = [];
  for (const record of records) {
    chained.push(chainRecord(chained.at(-1) ?? previous, record));
  }
  return chained;
}

/**
 * Whether the records are an unbroken chain from `start` on. Reads them one by one and stops at the first that is not. That
 * none is missing at the end shows in comparing the head with one known from elsewhere.
 */
export async function verifyChain(
  records: AsyncIterable<ChainedActionRecord> | Iterable<ChainedActionRecord>,
  start: ChainStart,
): Promise<ChainVerdict> {
  let head: ChainHead = { sequence: start.sequence - 1, hash: start.previousHash };
  let count = 0;
  for await (const record of records) {
    const reason = mistakeIn(record, head);
    if (reason !== undefined) {
      return { isValid: false, records: count, brokenAt: head.sequence + 1, reason };
    }
    head = { sequence: record.sequence, hash: record.hash };
    count += 1;
  }
  return { isValid: true, records: count, head };
}

function mistakeIn(record: ChainedActionRecord, head: ChainHead): 'sequence' | 'previous_hash' | 'hash' | undefined {
  if (record.sequence !== head.sequence + 1) {
    return 'sequence';
  }
  if (record.previousHash !== head.hash) {
    return 'previous_hash';
  }
  return record.hash === hashOf(record) ? undefined : 'hash';
}

/** SHA-256 over the hash of the record before, in hexadecimal, and the record in its canonical form. */
function hashOf(record: Omit<ChainedActionRecord, 'hash'>): string {
  return createHash('sha256').update(record.previousHash).update(canonicalAction(record)).digest('hex');
}
