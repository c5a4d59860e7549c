import { Injectable } from '@nestjs/common';
import { Store, type ChainEnds } from '@palisade/domain';
import { verifyChain, type ChainVerdict } from '@palisade/storage';
import { chainRecords } from './chain-records.js';

export interface VerifiedChain {
  readonly isValid: boolean;
  /** Good ones. */
  readonly records: number;
  /** Where the chain begins and ends; `last` is less than `first` when it is empty. */
  readonly first: number;
  readonly last: number;
  /** The first sequence at which it is not what it was. */
  readonly brokenAt?: number;
  readonly reason?: 'sequence' | 'previous_hash' | 'hash';
}

/** Verifies the chain in the store, one verification at a time: those who ask meanwhile get its result. */
@Injectable()
export class ChainVerification {
  private underWay: Promise<VerifiedChain> | undefined;

  constructor(private readonly store: Store) {}

  /** @throws {StoreUnavailableError} */
  verify(): Promise<VerifiedChain> {
    this.underWay ??= this.verifyOnce().finally(() => {
      this.underWay = undefined;
    });
    return this.underWay;
  }

  /** Begins anew when the records at the break were not lost, but removed meanwhile because of their age. */
  private async verifyOnce(): Promise<VerifiedChain> {
    for (;;) {
      const ends = await this.store.actions.ends();
      const verdict = await this.verifyBetween(ends);
      const { start } = verdict.isValid ? ends : await this.store.actions.ends();
      if (verdict.isValid || start.sequence <= verdict.brokenAt) {
        return present(ends, verdict);
      }
    }
  }

  private async verifyBetween({ start, head }: ChainEnds): Promise<ChainVerdict> {
    const records = chainRecords(this.store.actions, { sequence: start.sequence - 1 }, head);
    const verdict = await verifyChain(records, start);
    if (!verdict.isValid || (verdict.head.sequence === head.sequence && verdict.head.hash === head.hash)) {
      return verdict;
    }
    const isShort = verdict.head.sequence < head.sequence;
    const brokenAt = isShort ? verdict.head.sequence + 1 : head.sequence;
    return { isValid: false, records: verdict.records, brokenAt, reason: isShort ? 'sequence' : 'hash' };
  }
}

function present({ start, head }: ChainEnds, verdict: ChainVerdict): VerifiedChain {
  const { isValid, records } = verdict;
  const range = { first: start.sequence, last: head.sequence };
  return verdict.isValid
    ? { isValid, records, ...range }
    : { isValid, records, ...range, brokenAt: verdict.brokenAt, reason: verdict.reason };
}
