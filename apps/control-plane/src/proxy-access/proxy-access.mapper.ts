import { parseNamespaceId, parseProviderId, parseResourceId } from '@palisade/domain';
import { InvalidRequestError } from '@palisade/platform';
import type { AccessQuestionBody } from './proxy-access.dto.js';
import type { ProxyQuestion } from './proxy-access.service.js';

/** @throws {InvalidRequestError} {@link InvalidIdentifierError} */
export function toProxyQuestion({ user, provider, namespace, relation }: AccessQuestionBody): ProxyQuestion {
  const parts = provider === undefined ? parseResourceId(user) : undefined;
  if (provider === undefined && parts?.type !== 'User') {
    throw new InvalidRequestError('questions', 'a provider, unless the user is given as user:scim:<provider>:<id>');
  }
  return {
    provider: parts?.providerId ?? parseProviderId(provider ?? ''),
    reference: user,
    namespace: parseNamespaceId(namespace),
    relation,
  };
}
