import { resolve } from 'node:path';
import { parseNamespaceId, type NamespaceId } from '@palisade/domain';
import { digestSecret, type ApiKey } from '@palisade/guards';
import { loadOrCreateToken } from '@palisade/platform';

const ID_LENGTH = 16;

/** An API key of a namespace, kept in a file that only its owner can read; made there the first time. */
export function loadDemoKey(
  dataDirectory: string,
  namespace: NamespaceId,
): { readonly key: string; readonly kept: ApiKey } {
  const secret = loadOrCreateToken(resolve(dataDirectory), `data-proxy-${namespace}-key`);
  const id = digestSecret(namespace).slice(0, ID_LENGTH);
  const key = `pk_${id}_${secret}`;
  return { key, kept: { id, digest: digestSecret(key), namespace, userId: `demo@${namespace}.example` } };
}

/** @throws {InvalidIdentifierError} when one is no namespace */
export function loadDemoKeys(dataDirectory: string, namespaces: readonly string[]): ApiKey[] {
  return namespaces.map((name) => loadDemoKey(dataDirectory, parseNamespaceId(name)).kept);
}
