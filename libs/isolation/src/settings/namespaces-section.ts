import { InvalidIdentifierError, parseNamespaceId, type NamespaceId } from '@palisade/domain';
import type { SettingsReader } from './settings-reader.js';

/** A section with a key for each namespace that has settings of its own. */
export function readNamespaces<T>(
  section: SettingsReader | undefined,
  read: (settings: SettingsReader) => T,
): ReadonlyMap<NamespaceId, T> {
  const namespaces = new Map<NamespaceId, T>();
  for (const name of section?.otherKeys ?? []) {
    const settings = section?.section(name);
    const namespace = section && parseName(section, name);
    if (settings !== undefined && namespace !== undefined) {
      namespaces.set(namespace, read(settings));
    }
  }
  return namespaces;
}

function parseName(section: SettingsReader, name: string): NamespaceId | undefined {
  try {
    return parseNamespaceId(name);
  } catch (error) {
    if (error instanceof InvalidIdentifierError) {
      section.report(name.slice(0, 80), `expected ${error.expected}`);
      return undefined;
    }
    throw error;
  }
}
