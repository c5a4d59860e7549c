import type { InputRecord } from './input-file.js';
import type { Resource } from './resource-kind.js';
import type { ApiClient } from '../command/api-client.js';

const IDENTIFIER = /^(user|group):scim:([^:]+):(.*)$/s;

/**
 * Replaces the members of groups by their full identifiers. Any other `value` in the file is taken as the external id of a
 * user, or of a group when the member's `type` is `Group`.
 *
 * @param provider the provider that they belong to; when undefined, it has no users yet: members stay as they are and the service rejects them
 * @param fromProvider the provider of the members in the file; they are replaced by those of `provider` with the same external ids
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

const ENDPOINTS = ['/Users', '/Groups'];

/** The id of the provider that the client's token belongs to; undefined while it has neither users nor groups. */
export async function findProvider(client: ApiClient): Promise<string | undefined> {
  for (const endpoint of ENDPOINTS) {
    const query = { count: '1', attributes: 'id' };
    const answer = await client.send({ method: 'GET', path: `/scim/v2${endpoint}`, query });
    const { Resources: resources = [] } = (answer ?? {}) as {
      readonly Resources?: readonly { readonly id?: unknown }[];
    };
    const provider = /^(?:user|group):scim:([^:]+):/.exec(String(resources[0]?.id))?.[1];
    if (provider !== undefined) {
      return provider;
    }
  }
  return undefined;
}
