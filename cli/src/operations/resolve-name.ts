import { isObject } from '@palisade/domain';
import type { ApiClient } from '../command/api-client.js';
import { UsageError } from '../command/command.errors.js';
import { valueAt } from '../command/output.js';

/** What a word of the command line names. */
export type Named = 'user' | 'group';

const LOOKUPS = {
  user: { path: '/scim/v2/Users', attributes: ['externalId', 'userName', 'displayName', 'emails.value'] },
  group: { path: '/scim/v2/Groups', attributes: ['externalId', 'displayName'] },
} as const;

/** More are not worth listing. */
const MAX_CANDIDATES = 10;

/**
 * The full identifier of the user or group that has this external id, e-mail address or name. A word that is a full identifier, or
 * that nothing has, stays as it is: the service says what it thinks of it.
 *
 * @throws {UsageError} with the candidates when several have it
 */
export async function resolveName(client: ApiClient, named: Named, word: string): Promise<string> {
  if (/^(user|group):scim:/.test(word) || word === '') {
    return word;
  }
  const { path, attributes } = LOOKUPS[named];
  const filter = attributes.map((attribute) => `${attribute} eq ${JSON.stringify(word)}`).join(' or ');
  const query = { filter, count: MAX_CANDIDATES, attributes: ['externalId', 'userName', 'displayName'] };
  const answer = await client.send({ method: 'GET', path, query });
  const resources = valueAt(answer, 'Resources');
  const found = Array.isArray(resources) ? resources.filter(isObject) : [];
  const [first, second] = found;
  const exact = found.find(({ externalId }) => externalId === word) ?? (second === undefined ? first : undefined);
  if (exact === undefined && second !== undefined) {
    const candidates = found.map(({ id, userName, displayName }) =>
      [id, userName, displayName].filter((text) => text !== undefined).join('  '),
    );
    throw new UsageError(`"${word}" is more than one ${named}: give the id`, undefined, candidates);
  }
  return exact === undefined ? word : String(exact['id']);
}
