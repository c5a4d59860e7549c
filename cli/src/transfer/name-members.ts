import type { InputRecord } from './input-file.js';
import type { Resource } from './resource-kind.js';

const IDENTIFIER = /^(?:user|group):scim:[^:]+:/;

/**
 * Groups with the full identifiers of their members. Where a file has something else as `value`, it is the external id of a
 * user, or of a group when the member's `type` is `Group`.
 *
 * @param provider whose they are; without one there are none, and they stay as they are for the service to refuse
 */
export async function* nameMembers(
  records: AsyncIterable<InputRecord>,
  provider: string | undefined,
): AsyncGenerator<InputRecord> {
  for await (const record of records) {
    const members = record.resource?.['members'];
    yield provider === undefined || !Array.isArray(members)
      ? record
      : { ...record, resource: { ...record.resource, members: members.map((member) => nameMember(member, provider)) } };
  }
}

function nameMember(member: unknown, provider: string): unknown {
  const { value, type } = (member ?? {}) as Resource;
  if (typeof value !== 'string' || value === '' || IDENTIFIER.test(value)) {
    return member;
  }
  const prefix = typeof type === 'string' && type.toLowerCase() === 'group' ? 'group' : 'user';
  return { ...(member as Resource), value: `${prefix}:scim:${provider}:${value}` };
}
