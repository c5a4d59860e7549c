import type { JsonObject, ProviderId, ResourceDraft, ResourceId, ResourceType } from '@palisade/domain';

/** A stored resource. Its draft is deeply frozen and replaced as a whole. */
export interface ResourceRecord {
  readonly provider: ProviderId;
  readonly type: ResourceType;
  readonly id: ResourceId;
  /** Position in the order of creation, unique in the store. */
  readonly sequence: number;
  readonly createdAtMs: number;
  modifiedAtMs: number;
  version: number;
  draft: ResourceDraft;
}

/** Display name of a user or group as the client wrote it; a user without one goes by the user name. */
export function displayOf({ draft: { attributes } }: ResourceRecord): string | undefined {
  return stringOf(attributes, 'displayName') ?? stringOf(attributes, 'userName');
}

/** The same as {@link displayOf}, folded for comparison. */
export function foldedDisplayOf({ draft: { search } }: ResourceRecord): string | undefined {
  return stringOf(search, 'displayName') ?? stringOf(search, 'userName');
}

/** RFC 7643 §4.1.1 leaves the meaning of `active` to the service; here a user who does not have it is active. */
export function isInactive({ draft: { attributes } }: ResourceRecord): boolean {
  return attributes.active === false;
}

export function stringOf(object: JsonObject, name: string): string | undefined {
  const value = object[name];
  return typeof value === 'string' ? value : undefined;
}
