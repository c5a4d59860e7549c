import type { Dialect, JsonObject, MembershipChange } from '@palisade/domain';
import { assignDefaults } from '../resource/read-resource.js';
import { EXTERNAL_ID } from '../schema/common-attributes.js';
import type { ResourceSchema } from '../schema/resource-schema.js';
import { changeAt, rejectImmutableChange } from './change-at.js';
import { changeElements } from './change-elements.js';
import { changeValue } from './change-value.js';
import { checkResult } from './check-result.js';
import { ElementInspector } from './element-inspector.js';
import { joinMembershipChanges } from './join-membership-changes.js';
import type { AttributeOperation, ElementOperation, PatchOperation } from './patch-operation.js';

/** What a patch changes; the members of a group are apart. */
export interface PatchableState {
  readonly externalId?: string;
  readonly attributes: JsonObject;
}

export interface PatchedState extends PatchableState {
  /** Steps in order; empty when no operation is about members. */
  readonly members: readonly MembershipChange[];
}

/**
 * The state after all operations, each applied to what the one before it left (RFC 7644 §3.5.2). Either all of them can
 * be applied or it throws; `current` is never modified. Attributes come in the order of the schema, and nothing null or
 * empty is among them.
 *
 * @throws {ScimError} 400 noTarget, mutability, invalidValue or tooMany
 */
export function applyPatch(
  current: PatchableState,
  operations: readonly PatchOperation[],
  schema: ResourceSchema,
  dialect: Dialect,
): PatchedState {
  const before: JsonObject =
    current.externalId === undefined
      ? current.attributes
      : { [EXTERNAL_ID.name]: current.externalId, ...current.attributes };
  // First of all, because it rejects too many.
  const members = joinMembershipChanges(
    operations.flatMap((operation) => (operation.kind === 'members' ? [operation.change] : [])),
  );
  const inspector = new ElementInspector();
  let after = before;
  // What an operation removes keeps the value that the one before it gave: a user who is disabled first stays disabled.
  let { active } = before;
  for (const operation of operations) {
    if (operation.kind !== 'members') {
      after = applyOperation(after, operation, schema, dialect, inspector);
      active = after.active ?? active;
    }
  }
  if (after === before) {
    return { externalId: current.externalId, attributes: current.attributes, members };
  }
  const { [EXTERNAL_ID.name]: externalId, ...stored } = after;
  const attributes = assignDefaults(stored, schema, active === undefined ? {} : { active });
  checkResult(current.attributes, attributes, schema);
  return { externalId: typeof externalId === 'string' ? externalId : undefined, attributes, members };
}

function applyOperation(
  resource: JsonObject,
  operation: AttributeOperation | ElementOperation,
  schema: ResourceSchema,
  dialect: Dialect,
  inspector: ElementInspector,
): JsonObject {
  const changed = changeAt(resource, schema.attributes, operation.steps, (before) =>
    operation.kind === 'attribute'
      ? changeValue(operation, before, inspector)
      : changeElements(operation, before, dialect, inspector),
  );
  rejectImmutableChange([operation.steps[0]], resource, changed);
  return changed;
}
