import { randomBytes } from 'node:crypto';
import type { NamespaceId, TenantId } from '@palisade/domain';
import { digestSecret } from '../../secrets/secret-digest.js';

/** What is kept of an API key: everything but the key. */
export interface ApiKey {
  /** The part of the key that is no secret; 8 to 32 of a-z and 0-9. */
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

/** A new key, to be shown once, and what is to be kept of it. */
export function createApiKey(): { readonly key: string } & Pick<ApiKey, 'id' | 'digest'> {
  const id = randomBytes(ID_BYTES).toString('hex');
  const key = `pk_${id}_${randomBytes(SECRET_BYTES).toString('base64url')}`;
  return { key, id, digest: digestSecret(key) };
}

/** The part of a key that says which one it is; undefined when the text is no key. */
export function apiKeyIdOf(text: string): string | undefined {
  const [, id] = /^pk_([a-z0-9]{8,32})_[A-Za-z0-9_-]{32,128}$/.exec(text) ?? [];
  return id;
}

/**
 * The keys of a list, such as a configuration holds.
 *
 * @throws {TypeError} when two have the same id, or an id or a digest has another form; never with a digest in its message
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
