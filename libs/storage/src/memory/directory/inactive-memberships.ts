import { parseResourceId } from '@palisade/domain';
import type { ProviderDirectory } from './provider-directory.js';
import { displayOf, isInactive, type ResourceRecord } from './resource-record.js';

/** A direct membership of a user who is inactive. */
export interface InactiveMembership {
  readonly group: ResourceRecord;
  readonly user: ResourceRecord;
}

export function inactiveMemberships(directory: ProviderDirectory): InactiveMembership[] {
  return directory
    .table('User')
    .records.filter((user) => isInactive(user))
    .flatMap((user) =>
      Array.from(directory.memberships.groupsOf(user.id), (id) => directory.findById(id))
        .filter((group) => group !== undefined)
        .map((group) => ({ group, user })),
    );
}

/** `<group_display_name>:<user_external_id>`; a user without an external id is named by the last part of their identifier. */
export function reportLine({ group, user }: InactiveMembership): string {
  return `${displayOf(group) ?? ''}:${user.draft.externalId ?? parseResourceId(user.id)?.localId ?? ''}`;
}
