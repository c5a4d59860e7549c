import type { NamespaceId } from '@palisade/domain';
import { NamespaceAuthenticator, apiKeyDirectory, type ApiKey } from '@palisade/guards';
import type { DataProxyConfig } from '../config/data-proxy.config.js';
import { readApiKeysFile } from './api-keys-file.js';
import { loadDemoKeys } from './demo-keys.js';

export interface Identities {
  readonly authenticator: NamespaceAuthenticator;
  /** Those that are known before anybody calls: of the API keys. */
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
