import { isObject } from '@palisade/domain';

export type Fields = Readonly<Record<string, unknown>>;

/** The value when it is a JSON object. */
export function asFields(value: unknown): Fields | undefined {
  return isObject(value) ? value : undefined;
}

/** The value when it is a list, else an empty one. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function asInteger(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined;
}

/** The values that are strings, by name. */
export function asTexts(value: unknown): ReadonlyMap<string, string> {
  const entries = Object.entries(asFields(value) ?? {});
  return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

/** What every object of Kubernetes has. */
export interface ObjectMetadata {
  readonly name: string;
  readonly uid: string;
  /** Opaque: may only be compared for equality, and sent back. */
  readonly resourceVersion: string;
  /** Increases with each change of the spec. */
  readonly generation: number;
  readonly createdAt: string;
  /** Whether it was deleted, and only still exists until others have finished with it. */
  readonly isTerminating: boolean;
  readonly labels: ReadonlyMap<string, string>;
  readonly annotations: ReadonlyMap<string, string>;
}

/** Undefined when the object has no name, uid or version. */
export function readMetadata(object: Fields): ObjectMetadata | undefined {
  const metadata = asFields(object['metadata']) ?? {};
  const name = asText(metadata['name']);
  const uid = asText(metadata['uid']);
  const resourceVersion = asText(metadata['resourceVersion']);
  if (!name || !uid || !resourceVersion) {
    return undefined;
  }
  return {
    name,
    uid,
    resourceVersion,
    generation: asInteger(metadata['generation']) ?? 0,
    createdAt: asText(metadata['creationTimestamp']) ?? '',
    isTerminating: asText(metadata['deletionTimestamp']) !== undefined,
    labels: asTexts(metadata['labels']),
    annotations: asTexts(metadata['annotations']),
  };
}
