import { resolve } from 'node:path';
import { type NamespaceId, parseNamespaceId } from '@palisade/domain';
import { NamespaceAuthenticator, type ApiKey, digestSecret } from '@palisade/guards';
import { loadOrCreateToken } from '@palisade/platform';
import { decidesAccess, type DataProxyConfig } from './data-proxy.config.js';
import { ApiKeys } from './api-keys.js';

export interface Identities {
  readonly authenticator: NamespaceAuthenticator;
  readonly apiKeys: ApiKeys;
  /** The namespaces of the API keys; those of other credentials are known only when a request arrives. */
  readonly namespaces: readonly NamespaceId[];
}

/** Accepts the credentials that the configuration names, and no others. */
export function openIdentities(config: DataProxyConfig): Identities {
  const { apiKeysFile, demoNamespaces = [], dataDirectory, jwtIssuer, jwtAudience, jwksUri, spiffeIds } = config;
  const apiKeys = new ApiKeys(apiKeysFile, loadDemoKeys(dataDirectory, demoNamespaces));
  const userClaim = decidesAccess(config) ? config.accessClaim : undefined;
  const authenticator = new NamespaceAuthenticator({
    ...((apiKeysFile !== undefined || apiKeys.all.length > 0) && { apiKeys }),
    ...(jwtIssuer !== undefined &&
      jwtAudience !== undefined &&
      jwksUri !== undefined && { tokens: { issuer: jwtIssuer, audience: jwtAudience, jwksUri, userClaim } }),
    ...(spiffeIds !== undefined && { certificates: { spiffeIds } }),
  });
  return { authenticator, apiKeys, namespaces: [...new Set(apiKeys.all.map(({ namespace }) => namespace))] };
}

const ID_LENGTH = 16;

/** The API key of a namespace, kept in a file that only its owner can read; the first call creates it. */
export function loadDemoKey(
  dataDirectory: string,
  namespace: NamespaceId,
): { readonly key: string; readonly kept: ApiKey } {
  const secret = loadOrCreateToken(resolve(dataDirectory), `data-proxy-${namespace}-key`);
  const id = digestSecret(namespace).slice(0, ID_LENGTH);
  const key = `pk_${id}_${secret}`;
  return { key, kept: { id, digest: digestSecret(key), namespace, userId: `demo@${namespace}.example` } };
}

/** @throws {InvalidIdentifierError} when a name is not a valid namespace */
function loadDemoKeys(dataDirectory: string, namespaces: readonly string[]): ApiKey[] {
  return namespaces.map((name) => loadDemoKey(dataDirectory, parseNamespaceId(name)).kept);
}
