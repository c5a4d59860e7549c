import { randomBytes } from 'node:crypto';
import type { NamespaceId, TenantId } from '@palisade/domain';
import { digestSecret, equalDigests } from '../secret-digest.js';
import type { IdentityClaim } from './namespace-identity.js';

/** What is stored about an API key: everything but the key itself. */
export interface ApiKey {
  /** The public part of the key; 8 to 32 of a-z and 0-9. */
  readonly id: string;
  /** SHA-256 of the whole key, hexadecimal. */
  readonly digest: string;
  readonly namespace: NamespaceId;
  readonly userId?: string;
  readonly tenantId?: TenantId;
  readonly expiresAt?: Date;
}

/** Where API keys are kept. */
export interface ApiKeyDirectory {
  find(id: string): Promise<ApiKey | undefined> | ApiKey | undefined;
}

const ID_BYTES = 8;
const SECRET_BYTES = 32;

/** A new key, to be shown once, and what to store of it. */
export function createApiKey(): { readonly key: string } & Pick<ApiKey, 'id' | 'digest'> {
  const id = randomBytes(ID_BYTES).toString('hex');
  const key = `pk_${id}_${randomBytes(SECRET_BYTES).toString('base64url')}`;
  return { key, id, digest: digestSecret(key) };
}

/** The public part of a key; undefined when the text is not a key. */
export function apiKeyIdOf(text: string): string | undefined {
  const [, id] = /^pk_([a-z0-9]{8,32})_[A-Za-z0-9_-]{32,128}$/.exec(text) ?? [];
  return id;
}

/**
 * The keys of a list, such as a configuration holds.
 *
 * @throws {TypeError} when two keys share an id, or an id or digest is malformed; the message never contains a digest
 */
export function apiKeyDirectory(keys: readonly ApiKey[]): ApiKeyDirectory {
  const byId = new Map<string, ApiKey>();
  for (const key of keys) {
    if (!/^[a-z0-9]{8,32}$/.test(key.id) || !/^[0-9a-f]{64}$/.test(key.digest) || byId.has(key.id)) {
      throw new TypeError(`API key ${JSON.stringify(key.id)}: expected an id of its own, and a SHA-256 digest`);
    }
    byId.set(key.id, key);
  }
  return { find: (id) => byId.get(id) };
}

/** The identity that an API key proves, or why it proves none. */
export type ApiKeyFinding = IdentityClaim | 'malformed' | 'invalid' | 'expired';

/** Compared with when there is no such key, so that an unknown key takes as long as a wrong secret. */
const NO_DIGEST = digestSecret('');

/** Finds the namespace for which the holder of an API key may call. */
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
