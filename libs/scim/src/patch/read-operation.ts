import { isObject, type AttributeDefinition, type JsonValue } from '@palisade/domain';
import { lastStep, type Steps } from '../filter/attribute-scope.js';
import { matchAttributes, readElement, readValue, unknownAttribute } from '../resource/read-value.js';
import { SCHEMAS } from '../schema/common-attributes.js';
import { invalidValue } from '../schema/invalid-value.js';
import { findSubAttribute, type ResourceSchema } from '../schema/resource-schema.js';
import { badRequest } from '../scim.errors.js';
import type { ElementChange, PatchOp, PatchOperation } from './patch-operation.js';
import { formatSteps, type PatchTarget } from './patch-target.js';
import { readMembership } from './read-membership.js';

/**
 * The steps of one operation on one target: none when it changes nothing on any resource, several when its value sets
 * several sub-attributes.
 *
 * @param value undefined when the operation has none
 * @throws {ScimError} 400 invalidValue, invalidSyntax or mutability
 */
export function readOperation(
  op: PatchOp,
  target: PatchTarget,
  value: unknown,
  schema: ResourceSchema,
): readonly PatchOperation[] {
  if (op !== 'remove' && value === undefined) {
    // RFC 7644 §3.5.2.1: the operation "MUST contain a "value" member"; table 9: "A required value was missing".
    throw invalidValue(target.path, `a value to ${op}`, value);
  }
  if (schema.type === 'Group' && target.attribute === schema.findAttribute('members')) {
    const change = readMembership(op, target, value);
    return change === undefined ? [] : [{ kind: 'members', change }];
  }
  if (target.attribute === SCHEMAS) {
    return acceptSchemas(op, value);
  }
  if (target.selection === undefined && target.subAttribute === undefined) {
    return readAttributeOperation(op, target.steps, value);
  }
  const change = readElementChange(op, target, value);
  const { steps, selection, path } = target;
  return change === undefined ? [] : [{ kind: 'elements', op, steps, path, selection, change }];
}

/** The `schemas` of a resource follow from the attributes that it has; RFC 7644 §3.5.2: they are modified "implicitly". */
function acceptSchemas(op: PatchOp, value: unknown): readonly PatchOperation[] {
  if (op === 'remove' || readValue(SCHEMAS, value, SCHEMAS.name) === undefined) {
    throw badRequest('mutability', 'schemas: expected to keep a value, the attribute is required');
  }
  return [];
}

function readAttributeOperation(op: PatchOp, steps: Steps, value: unknown): readonly PatchOperation[] {
  const attribute = lastStep(steps);
  const path = formatSteps(steps);
  if (op !== 'remove' && attribute.type === 'complex' && !attribute.multiValued && isObject(value)) {
    // RFC 7644 §3.5.2.3: "Sub-attributes that are not specified in the "value" parameter are left unchanged."
    return [...matchSubAttributes(attribute, value, path)].flatMap(([sub, inner]) =>
      readAttributeOperation(op, [...steps, sub], inner),
    );
  }
  const read = readOperand(op, attribute, value, path);
  return isWithoutEffect(op, steps, value, read) ? [] : [{ kind: 'attribute', op, steps, value: read }];
}

/** The validated value; when removing, only of a list, for single values are removed whatever they are. */
function readOperand(op: PatchOp, attribute: AttributeDefinition, value: unknown, path: string): JsonValue | undefined {
  return op === 'remove' && !attribute.multiValued ? undefined : readValue(attribute, value, path);
}

/** What is never returned is not kept either. Adding nothing, and removing nothing in particular, change nothing. */
function isWithoutEffect(op: PatchOp, steps: Steps, value: unknown, read: JsonValue | undefined): boolean {
  const isPartial = op === 'add' || (op === 'remove' && value !== undefined && value !== null);
  const isNothing = steps.at(-1)?.multiValued === true && isPartial && read === undefined;
  return isNothing || steps.some(({ returned }) => returned === 'never');
}

function readElementChange(op: PatchOp, target: PatchTarget, value: unknown): ElementChange | undefined {
  const { attribute, steps, subAttribute, path } = target;
  if (subAttribute !== undefined) {
    const read = readOperand(op, subAttribute, value, path);
    return isWithoutEffect(op, [...steps, subAttribute], value, read)
      ? undefined
      : { kind: 'merge', values: new Map([[subAttribute, read]]) };
  }
  if (op === 'remove') {
    return { kind: 'drop' };
  }
  if (op === 'add' && attribute.type === 'complex' && isObject(value)) {
    return { kind: 'merge', values: readSubAttributes(attribute, value, path) };
  }
  const element = readElement(attribute, value, path);
  if (element === undefined) {
    return op === 'add' ? undefined : { kind: 'drop' };
  }
  // RFC 7644 §3.5.2.3: with a value filter "all matching record values SHALL be replaced".
  return { kind: 'exchange', element };
}

function readSubAttributes(
  attribute: AttributeDefinition,
  value: Readonly<Record<string, unknown>>,
  path: string,
): Map<AttributeDefinition, JsonValue | undefined> {
  const values = new Map<AttributeDefinition, JsonValue | undefined>();
  for (const [sub, inner] of matchSubAttributes(attribute, value, path)) {
    const read = readValue(sub, inner, `${path}.${sub.name}`);
    if (!isWithoutEffect('add', [sub], inner, read)) {
      values.set(sub, read);
    }
  }
  return values;
}

function matchSubAttributes(
  attribute: AttributeDefinition,
  value: Readonly<Record<string, unknown>>,
  path: string,
): Map<AttributeDefinition, unknown> {
  return matchAttributes(
    value,
    (name) => findSubAttribute(attribute, name),
    (name) => {
      if (!isSchemasOfExtension(name, attribute)) {
        throw unknownAttribute(name, path);
      }
    },
  );
}

/** Some clients repeat `schemas` inside an extension, where it says nothing new. Only extensions have a URN for a name. */
function isSchemasOfExtension(name: string, attribute: AttributeDefinition): boolean {
  return attribute.name.includes(':') && name.toLowerCase() === SCHEMAS.name;
}
