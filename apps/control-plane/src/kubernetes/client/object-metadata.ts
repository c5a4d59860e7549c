import { asFields, asInteger, asText, asTexts, type Fields } from './json-fields.js';

/** What every object of Kubernetes has. */
export interface ObjectMetadata {
  readonly name: string;
  readonly uid: string;
  /** Means nothing but "this state": may only be compared for equality, and given back. */
  readonly resourceVersion: string;
  /** Of the spec: increases with each change of it. */
  readonly generation: number;
  readonly createdAt: string;
  /** Whether somebody has deleted it, and it is only still there for others to finish with it. */
  readonly isTerminating: boolean;
  readonly labels: ReadonlyMap<string, string>;
  readonly annotations: ReadonlyMap<string, string>;
}

/** Undefined when the object has no name, identity or version, so that nothing can be done with it. */
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
