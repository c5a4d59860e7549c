import type { LeaseStore } from '@palisade/domain';
import type { LeaderTerm } from '../../leadership/leader-duty.js';
import type { Leader } from './leader.js';

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
