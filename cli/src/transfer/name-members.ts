import type { InputRecord } from './input-file.js';
import type { Resource } from './resource-kind.js';

const IDENTIFIER = /^(user|group):scim:([^:]+):(.*)$/s;

/**
 * Groups with the full identifiers of their members. Where a file has something else as `value`, it is the external id of a
 * user, or of a group when the member's `type` is `Group`.
 *
 * @param provider whose they are; without one there are none, and they stay as they are for the service to refuse
 * @param fromProvider whose the members of the file are: those with the same external ids of `provider` take their places
 */
export async function* nameMembers(
  records: AsyncIterable<InputRecord>,
  provider: string | undefined,
  fromProvider?: string,
): AsyncGenerator<InputRecord> {
  for await (const record of records) {
    const members = record.resource?.['members'];
    yield provider === undefined || !Array.isArray(members)
      ? record
      : {
          ...record,
          resource: {
            ...record.resource,
            members: members.map((member) => nameMember(member, provider, fromProvider)),
          },
        };
  }
}

function nameMember(member: unknown, provider: string, fromProvider: string | undefined): unknown {
  const { value, type } = (member ?? {}) as Resource;
  if (typeof value !== 'string' || value === '') {
    return member;
  }
  const [, kind, owner, externalId] = IDENTIFIER.exec(value) ?? [];
  if (kind === undefined) {
    const prefix = typeof type === 'string' && type.toLowerCase() === 'group' ? 'group' : 'user';
    return { ...(member as Resource), value: `${prefix}:scim:${provider}:${value}` };
  }
  return owner === fromProvider ? { ...(member as Resource), value: `${kind}:scim:${provider}:${externalId}` } : member;
}
