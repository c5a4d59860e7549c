import type { LeaseStore } from '@palisade/domain';
import type { LeaderTerm } from '../../leadership/leader-duty.js';

/** The leader on whose authority a load balancer is changed. */
export interface Leader {
  /** A later leader has a larger one. */
  readonly epoch: number;

  /** Whether no other replica can lead yet, by this replica's clock. */
  isInTerm(): boolean;

  /** Asks the lease store whether this leader still leads. */
  isConfirmed(): Promise<boolean>;
}

/** For a single replica, where there is no election. */
export const SOLE_LEADER: Leader = { epoch: 0, isInTerm: () => true, isConfirmed: async () => true };

/** Guards each step of a change that cannot be undone. */
export interface Fence {
  /** @throws {SupersededError} when the leader that makes the change has lost its term */
  check(): Promise<void>;
}

/**
 * The leader of a term.
 *
 * @param leases the store of the term's lease
 * @throws {LeaseLostError} when the term is already over
 */
export function leaderOfTerm(term: LeaderTerm, leases: Pick<LeaseStore, 'find'>): Leader {
  const { name, holder, epoch } = term.lease();
  return {
    epoch,
    isInTerm: () => term.isHeld(),
    isConfirmed: async () => {
      const found = await leases.find(name);
      return found?.holder === holder && found.epoch === epoch;
    },
  };
}
