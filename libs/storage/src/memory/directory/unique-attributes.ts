import { UniquenessError, type ResourceDraft, type ResourceId, type ResourceType } from '@palisade/domain';
import { stringOf, type ResourceRecord } from './resource-record.js';
import type { ResourceTable } from './resource-table.js';

/** What is about to be stored under an identifier, in place of `replaced` if that is given. */
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
