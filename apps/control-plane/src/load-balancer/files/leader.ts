import type { LeaseStore } from '@palisade/domain';
import type { LeaderTerm } from '../../leadership/leader-duty.js';

/** On whose authority a load balancer is changed. */
export interface Leader {
  /** A later leader has a larger one. */
  readonly epoch: number;

  /** Whether nobody else can lead yet, by this replica's clock. */
  isInTerm(): boolean;

  /** Whether whoever elects leaders, asked now, says that it leads. */
  isConfirmed(): Promise<boolean>;
}

/** Where nobody is elected, as there is only one. */
export const SOLE_LEADER: Leader = { epoch: 0, isInTerm: () => true, isConfirmed: async () => true };

/** Stands before each step of a change that cannot be taken back. */
export interface Fence {
  /** @throws {SupersededError} when whoever makes the change does not lead any more */
  check(): Promise<void>;
}

/**
 * The authority that a term gives.
 *
 * @param leases those that the term's lease is of
 * @throws {LeaseLostError} when the term is over already
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
