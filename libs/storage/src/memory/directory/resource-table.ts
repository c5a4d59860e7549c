import {
  type JsonObject,
  type ProviderId,
  type ResourceDraft,
  type ResourceId,
  type ResourceType,
  UniquenessError,
} from '@palisade/domain';
import { MultiMap, partitionPoint } from '../collections.js';

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

/** Attributes of the search document that are indexed for equality. */
const INDEXED_ATTRIBUTES = ['userName', 'displayName'] as const;
type IndexedAttribute = (typeof INDEXED_ATTRIBUTES)[number];

/** The resources of one type of one provider, with their indexes. */
export class ResourceTable {
  private readonly byId = new Map<ResourceId, ResourceRecord>();
  private readonly byExternalId = new Map<string, ResourceRecord>();
  private readonly byAttribute: Readonly<Record<IndexedAttribute, MultiMap<string, ResourceRecord>>> = {
    userName: new MultiMap(),
    displayName: new MultiMap(),
  };
  private readonly inOrder: ResourceRecord[] = [];

  get size(): number {
    return this.byId.size;
  }

  /** All resources, in order of creation; a view that changes with the table. */
  get records(): readonly ResourceRecord[] {
    return this.inOrder;
  }

  findById(id: ResourceId): ResourceRecord | undefined {
    return this.byId.get(id);
  }

  findByExternalId(externalId: string): ResourceRecord | undefined {
    return this.byExternalId.get(externalId);
  }

  /** Resources whose search document has exactly this value; in no particular order. */
  findByAttribute(attribute: IndexedAttribute, value: string): ReadonlySet<ResourceRecord> {
    return this.byAttribute[attribute].get(value);
  }

  /** Resources with exactly this value, in order of creation; undefined when the attribute is not indexed. */
  lookUp(name: string, value: string): readonly ResourceRecord[] | undefined {
    switch (name) {
      case 'id':
        return present(this.byId.get(value as ResourceId));
      case 'externalId':
        return present(this.byExternalId.get(value));
      case 'userName':
      case 'displayName':
        return [...this.findByAttribute(name, value)].sort((a, b) => a.sequence - b.sequence);
      default:
        return undefined;
    }
  }

  /** @param record the latest to be created: its sequence number is greater than those of all others */
  insert(record: ResourceRecord): void {
    this.byId.set(record.id, record);
    this.inOrder.push(record);
    this.index(record);
  }

  replaceDraft(record: ResourceRecord, draft: ResourceDraft): void {
    this.unindex(record);
    record.draft = draft;
    this.index(record);
  }

  remove(record: ResourceRecord): void {
    this.unindex(record);
    this.byId.delete(record.id);
    const position = partitionPoint(this.inOrder, ({ sequence }) => sequence < record.sequence);
    this.inOrder.splice(position, 1);
  }

  private index(record: ResourceRecord): void {
    const { externalId, search } = record.draft;
    if (externalId !== undefined) {
      this.byExternalId.set(externalId, record);
    }
    for (const attribute of INDEXED_ATTRIBUTES) {
      const value = stringOf(search, attribute);
      if (value !== undefined) {
        this.byAttribute[attribute].add(value, record);
      }
    }
  }

  private unindex(record: ResourceRecord): void {
    const { externalId, search } = record.draft;
    if (externalId !== undefined) {
      this.byExternalId.delete(externalId);
    }
    for (const attribute of INDEXED_ATTRIBUTES) {
      const value = stringOf(search, attribute);
      if (value !== undefined) {
        this.byAttribute[attribute].delete(value, record);
      }
    }
  }
}

function present(record: ResourceRecord | undefined): readonly ResourceRecord[] {
  return record ? [record] : [];
}

/** A draft about to be stored under an identifier, replacing `replaced` if given. */
interface Claim {
  readonly type: ResourceType;
  readonly id: ResourceId;
  readonly draft: ResourceDraft;
  readonly replaced?: ResourceRecord;
  readonly uniqueDisplayName?: boolean;
}

/** @throws {UniquenessError} when another resource has the identifier or a value that must be unique */
export function requireUnique(table: ResourceTable, { type, id, draft, replaced, uniqueDisplayName }: Claim): void {
  const { externalId, attributes, search } = draft;
  const isTaken = (record: ResourceRecord | undefined): boolean => record !== undefined && record !== replaced;
  if (isTaken(table.findById(id))) {
    throw new UniquenessError(type, 'id', id);
  }
  if (externalId !== undefined && isTaken(table.findByExternalId(externalId))) {
    throw new UniquenessError(type, 'externalId', externalId);
  }
  const uniqueAttributes = [
    ...(type === 'User' ? (['userName'] as const) : []),
    ...(type === 'Group' && uniqueDisplayName ? (['displayName'] as const) : []),
  ];
  for (const attribute of uniqueAttributes) {
    const value = stringOf(search, attribute);
    if (value !== undefined && [...table.findByAttribute(attribute, value)].some(isTaken)) {
      throw new UniquenessError(type, attribute, stringOf(attributes, attribute) ?? value);
    }
  }
}
