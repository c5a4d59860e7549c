import { v7 as uuidv7 } from 'uuid';
import {
  formatResourceId,
  isExternalId,
  type JsonValue,
  type ProviderId,
  type ResourceId,
  type ResourceType,
} from '@palisade/domain';
import { ScimError } from '../scim.errors.js';
import { findBulkReferences, type BulkDataKind } from './bulk-references.js';
import type { BulkOperation } from './parse-bulk.js';

/** A POST that later operations may refer to. */
export interface Creation {
  readonly index: number;
  readonly type: ResourceType;
  readonly localId: string;
  /** The identifier that the resource gets unless it exists already under another. */
  readonly expectedId: ResourceId | undefined;
  id?: ResourceId;
  hasFailed: boolean;
  /** It refers to itself, perhaps through others. */
  isInCircle: boolean;
}

/** What the operations of one BulkRequest create, and which of it each of them refers to (RFC 7644 §3.7.2). */
export class BulkCreations {
  private readonly byBulkId = new Map<string, Creation>();

  constructor(
    private readonly operations: readonly BulkOperation[],
    private readonly provider: ProviderId,
  ) {
    for (const [index, operation] of operations.entries()) {
      this.allocate(operation, index);
    }
  }

  /** What an operation creates; undefined when it is no POST, or no valid one. */
  of(index: number): Creation | undefined {
    const creation = this.byBulkId.get(this.operations[index]?.bulkId ?? '');
    return creation?.index === index ? creation : undefined;
  }

  /** What an operation refers to, in its data and in its path. */
  referencesOf(index: number): Creation[] {
    const { method, data, target } = this.operations[index] ?? {};
    const names = findBulkReferences(data, kindOf(method)).union(findBulkReferences(target?.reference));
    return [...names].flatMap((name) => this.byBulkId.get(name) ?? []);
  }

  /** The identifier of what was created under this bulkId. */
  idOf(bulkId: string): ResourceId | undefined {
    return this.byBulkId.get(bulkId)?.id;
  }

  /**
   * What stands for `bulkId:<id>` in an operation.
   *
   * @throws {ScimError} 409 when it stands for nothing: unknown, failed, or a circle of groups
   */
  resolve(bulkId: string, operation: BulkOperation, index: number): ResourceId | undefined {
    const shown = `bulkId:${bulkId.slice(0, 300)}`;
    const creation = this.byBulkId.get(bulkId);
    if (operation.target?.type === 'Group' && creation !== undefined && this.isCircle(creation, index)) {
      // RFC 7644 §3.7.1 lets a service provider answer 409 when circular references cannot be resolved.
      const problem =
        creation.index === index
          ? 'a group cannot contain itself'
          : 'leads back to this group in a circle, groups cannot contain each other';
      throw new ScimError(409, undefined, `${shown}: ${problem}`);
    }
    if (creation === undefined || creation.hasFailed) {
      const reason = creation === undefined ? 'is no POST of this request' : 'failed';
      throw new ScimError(409, undefined, `${shown}: the operation that it refers to ${reason}`);
    }
    return creation.id ?? creation.expectedId;
  }

  private allocate({ method, bulkId, target, data, problem }: BulkOperation, index: number): void {
    if (method !== 'POST' || bulkId === undefined || target === undefined || problem !== undefined) {
      return;
    }
    const { externalId } = data as { externalId?: JsonValue };
    const localId = uuidv7();
    const lastPart = typeof externalId === 'string' && externalId !== '' ? externalId : localId;
    const expectedId = isExternalId(lastPart) ? formatResourceId(target.type, this.provider, lastPart) : undefined;
    this.byBulkId.set(bulkId, { index, type: target.type, localId, expectedId, hasFailed: false, isInCircle: false });
  }

  /** Whether an operation cannot have the identifier because both need the other's: the one that ran first failed for it. */
  private isCircle(creation: Creation, index: number): boolean {
    const isFirst = creation.id === undefined && !creation.hasFailed;
    return isFirst || (creation.hasFailed && creation.isInCircle && this.of(index)?.isInCircle === true);
  }
}

/** What the data of an operation with this method is. */
export function kindOf(method: string | undefined): BulkDataKind {
  return method === 'PATCH' ? 'patch' : 'resource';
}
