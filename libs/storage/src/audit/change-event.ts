import {
  resourceTypeOf,
  type AuditEvent,
  type BindingKey,
  type ChangeContext,
  type GroupId,
  type JsonObject,
  type ProviderId,
  type ProviderToken,
  type ResourceId,
} from '@palisade/domain';

/** How many memberships of a group one change made and ended. */
export interface MembershipCounts {
  readonly added: number;
  readonly removed: number;
}

/** The event of a user or group that was stored, changed or removed. Counts of members appear when there are any. */
export function resourceEvent(
  change: ChangeContext,
  kind: 'create' | 'update' | 'delete',
  provider: ProviderId,
  id: ResourceId,
  members: MembershipCounts = { added: 0, removed: 0 },
): AuditEvent {
  const hasMemberChanges = members.added + members.removed > 0;
  return success(change, {
    action: `${resourceTypeOf(id).toLowerCase()}.${kind}`,
    resource: id,
    provider,
    ...(hasMemberChanges && { detail: { membersAdded: members.added, membersRemoved: members.removed } }),
  });
}

/** The event of one membership that reconciliation ended. */
export function membershipRemovedEvent(
  change: ChangeContext,
  provider: ProviderId,
  group: GroupId,
  member: ResourceId,
): AuditEvent {
  return success(change, { action: 'membership.remove', resource: group, provider, detail: { member } });
}

/** @param provider the one that the bound group belongs to */
export function bindingEvent(
  change: ChangeContext,
  kind: 'add' | 'remove',
  provider: ProviderId,
  { namespace, boundSubject, relation }: BindingKey,
): AuditEvent {
  return success(change, {
    action: `binding.${kind}`,
    resource: `namespace:${namespace}#${relation}@${boundSubject}`,
    provider,
    namespace,
  });
}

export function providerEvent(
  change: ChangeContext,
  kind: 'create' | 'update' | 'delete',
  provider: ProviderId,
): AuditEvent {
  return success(change, { action: `provider.${kind}`, resource: `provider:${provider}`, provider });
}

export function tokenEvent(
  change: ChangeContext,
  kind: 'create' | 'expire' | 'revoke',
  { id, provider }: Pick<ProviderToken, 'id' | 'provider'>,
): AuditEvent {
  return success(change, { action: `token.${kind}`, resource: `token:${id}`, provider });
}

interface Subject {
  readonly action: string;
  readonly resource: string;
  readonly provider: ProviderId;
  readonly namespace?: string;
  readonly detail?: JsonObject;
}

function success({ at, actor, requestId }: ChangeContext, subject: Subject): AuditEvent {
  return { at, actor, ...subject, result: 'success', ...(requestId !== undefined && { requestId }) };
}
