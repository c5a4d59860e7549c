import { isObject, parseNamespaceId, parseTenantId } from '@palisade/domain';
import type { ApiKey } from '@palisade/guards';
import { ConfigurationError } from '@palisade/platform';
import { readYamlFile } from './settings-file.js';

const KEYS = new Set(['id', 'digest', 'namespace', 'user_id', 'tenant_id', 'expires_at']);

/**
 * The API keys in a file: a list of `{ id, digest, namespace }` with optional `user_id`, `tenant_id` and `expires_at`.
 *
 * @throws {ConfigurationError} which says what entry is invalid, without quoting it
 */
export function readApiKeysFile(path: string): ApiKey[] {
  const entries = readYamlFile(path);
  if (!Array.isArray(entries)) {
    throw new ConfigurationError([`${path}: expected a list of API keys`]);
  }
  return entries.map((entry: unknown, index) => {
    try {
      return toApiKey(entry);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new ConfigurationError([`${path}: [${index}]: ${reason}`]);
    }
  });
}

function toApiKey(entry: unknown): ApiKey {
  const fields = new Map(isObject(entry) ? Object.entries(entry) : []);
  const unknown = [...fields.keys()].filter((name) => !KEYS.has(name));
  if (unknown.length > 0) {
    throw new TypeError(`expected ${[...KEYS].join(', ')} and nothing else`);
  }
  const text = (name: string): string => {
    const value: unknown = fields.get(name);
    if (typeof value !== 'string') {
      throw new TypeError(`${name}: expected a string`);
    }
    return value;
  };
  return {
    id: text('id'),
    digest: text('digest'),
    namespace: parseNamespaceId(text('namespace')),
    ...(fields.has('user_id') ? { userId: text('user_id') } : {}),
    ...(fields.has('tenant_id') ? { tenantId: parseTenantId(text('tenant_id')) } : {}),
    ...(fields.has('expires_at') ? { expiresAt: toDate(text('expires_at')) } : {}),
  };
}

function toDate(text: string): Date {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) {
    throw new TypeError('expires_at: expected a date');
  }
  return date;
}
