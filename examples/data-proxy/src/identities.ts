import { resolve } from 'node:path';
import { type NamespaceId, parseNamespaceId } from '@palisade/domain';
import { NamespaceAuthenticator, apiKeyDirectory, type ApiKey, digestSecret } from '@palisade/guards';
import { loadOrCreateToken } from '@palisade/platform';
import type { DataProxyConfig } from './config/data-proxy.config.js';
import { readApiKeysFile } from './api-keys-file.js';

export interface Identities {
  readonly authenticator: NamespaceAuthenticator;
  /** The namespaces of the API keys; those of other credentials are known only when a request arrives. */
  readonly namespaces: readonly NamespaceId[];
}

/** Accepts the credentials that the configuration names, and no others. */
export function openIdentities(config: DataProxyConfig): Identities {
  const { apiKeysFile, demoNamespaces = [], dataDirectory, jwtIssuer, jwtAudience, jwksUri, spiffeIds } = config;
  const keys: readonly ApiKey[] = [
    ...(apiKeysFile === undefined ? [] : readApiKeysFile(apiKeysFile)),
    ...loadDemoKeys(dataDirectory, demoNamespaces),
  ];
  const authenticator = new NamespaceAuthenticator({
    ...(keys.length > 0 && { apiKeys: apiKeyDirectory(keys) }),
    ...(jwtIssuer !== undefined &&
      jwtAudience !== undefined &&
      jwksUri !== undefined && { tokens: { issuer: jwtIssuer, audience: jwtAudience, jwksUri } }),
    ...(spiffeIds !== undefined && { certificates: { spiffeIds } }),
  });
  return { authenticator, namespaces: [...new Set(keys.map(({ namespace }) => namespace))] };
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
