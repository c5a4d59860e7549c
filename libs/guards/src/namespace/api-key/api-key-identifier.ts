import { digestSecret, equalDigests } from '../../secrets/secret-digest.js';
import type { IdentityClaim } from '../namespace-identity.js';
import { apiKeyIdOf, type ApiKeyDirectory } from './api-key.js';

/** What an API key says, or why it says nothing. */
export type ApiKeyFinding = IdentityClaim | 'malformed' | 'invalid' | 'expired';

/** Compared with when there is no such key, so that this takes the same time as a wrong secret. */
const NO_DIGEST = digestSecret('');

/** Tells from an API key for which namespace its holder may call. */
export class ApiKeyIdentifier {
  constructor(private readonly directory: ApiKeyDirectory) {}

  async identify(text: string, now: number): Promise<ApiKeyFinding> {
    const id = apiKeyIdOf(text);
    if (id === undefined) {
      return 'malformed';
    }
    const key = await this.directory.find(id);
    const isRight = equalDigests(key?.digest ?? NO_DIGEST, digestSecret(text));
    if (key === undefined || key.id !== id || !isRight) {
      return 'invalid';
    }
    const { namespace, userId, tenantId, expiresAt } = key;
    if (expiresAt !== undefined && now >= expiresAt.getTime()) {
      return 'expired';
    }
    return {
      method: 'api_key',
      namespaces: [namespace],
      clientId: `api-key:${id}`,
      ...(userId === undefined ? {} : { userId }),
      ...(tenantId === undefined ? {} : { tenantId }),
    };
  }
}
