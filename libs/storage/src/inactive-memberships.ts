import { membershipLine, type InactiveMembership } from '@palisade/domain';
import { compareValues } from '@palisade/scim';

/** In the order of {@link DirectoryStore.reconcileDeprovisioned}. */
export function sortMemberships(memberships: readonly InactiveMembership[]): InactiveMembership[] {
  return memberships.toSorted(
    (a, b) =>
      compareValues(membershipLine(a), membershipLine(b)) ||
      compareValues(a.groupId, b.groupId) ||
      compareValues(a.userId, b.userId),
  );
}
