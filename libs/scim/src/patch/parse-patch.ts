import { isObject, type Dialect } from '@palisade/domain';
import { unknownAttribute } from '../resource/read-value.js';
import { SCHEMAS } from '../schema/common-attributes.js';
import { describeValue, invalidValue, quote } from '../schema/invalid-value.js';
import type { ResourceSchema } from '../schema/resource-schema.js';
import { badRequest, type ScimError } from '../scim.errors.js';
import { PATCH_OP_URN } from '../urns.js';
import { isList } from '../values/document-values.js';
import { PATCH_OPS, type PatchOp, type PatchOperation } from './patch-operation.js';
import { findPatchTarget, parsePatchTarget, type PatchTarget } from './patch-target.js';
import { readOperation } from './read-operation.js';

/** Operations of one request. */
const MAX_OPERATIONS = 1000;
/** Steps that they may amount to, when one operation sets several attributes. */
const MAX_STEPS = 10_000;

export interface ParsePatchOptions {
  /** Reject a body without `schemas`; default false. When given they are checked in any case. */
  readonly requireSchemas?: boolean;
}

/**
 * Reads a PatchOp message (RFC 7644 §3.5.2) against the schema of a resource type. What is wrong with it whatever the
 * resource is wrong here. Names of members count in any case, as attributes do.
 *
 * @throws {ScimError} 400 invalidSyntax when it is no PatchOp message; 400 invalidPath, invalidFilter, invalidValue,
 *   mutability or noTarget for one of its operations, 403 sensitive for a filter on what is never returned
 */
export function parsePatch(
  body: unknown,
  schema: ResourceSchema,
  dialect: Dialect,
  { requireSchemas = false }: ParsePatchOptions = {},
): readonly PatchOperation[] {
  if (!isObject(body)) {
    throw badRequest('invalidSyntax', `expected a PatchOp object, found ${describeValue(body)}`);
  }
  checkSchemas(findMember(body, 'schemas', 'body'), requireSchemas);
  const operations = findMember(body, 'Operations', 'body');
  if (!isList(operations)) {
    throw invalidSyntax('Operations', 'a list of operations', operations);
  }
  if (operations.length < 1 || operations.length > MAX_OPERATIONS) {
    // RFC 7644 §3.5.2: "an array of one or more PATCH operations". It is silent on too many: 413 is about the size of a
    // body and, in §3.7.4, about Bulk; "tooMany" is about results of a filter. So it is a value out of its bounds.
    throw invalidValue('Operations', `1 to ${MAX_OPERATIONS} operations`, operations);
  }
  const steps: PatchOperation[] = [];
  for (const [index, operation] of operations.entries()) {
    for (const step of parseOperation(operation, `Operations[${index}]`, schema, dialect)) {
      steps.push(step);
    }
    if (steps.length > MAX_STEPS) {
      throw badRequest('invalidValue', `Operations: expected at most ${MAX_STEPS} attributes to be set, found more`);
    }
  }
  return steps;
}

function checkSchemas(schemas: unknown, isRequired: boolean): void {
  if (!isRequired && (schemas === undefined || schemas === null)) {
    return;
  }
  // RFC 7644 §3.5.2: the body "MUST contain the "schemas" attribute with the URI value of" PatchOp.
  if (!isList(schemas) || !schemas.some(isPatchOpUrn)) {
    throw invalidSyntax('schemas', `a list with ${quote(PATCH_OP_URN)}`, schemas);
  }
}

function isPatchOpUrn(urn: unknown): boolean {
  return typeof urn === 'string' && urn.toLowerCase() === PATCH_OP_URN.toLowerCase();
}

function parseOperation(
  operation: unknown,
  where: string,
  schema: ResourceSchema,
  dialect: Dialect,
): readonly PatchOperation[] {
  if (!isObject(operation)) {
    throw invalidSyntax(where, 'an operation object', operation);
  }
  const op = parseOp(findMember(operation, 'op', where), where);
  const path = findMember(operation, 'path', where) ?? undefined;
  const value = findMember(operation, 'value', where);
  if (path === undefined) {
    return parseWithoutPath(op, value, where, schema, dialect);
  }
  if (typeof path !== 'string') {
    throw badRequest('invalidPath', `${where}.path: expected a string, found ${describeValue(path)}`);
  }
  const target = parsePatchTarget(path, schema, dialect);
  if (target.isReadOnly) {
    throw badRequest('mutability', `${target.path}: expected an attribute that can be modified, this one is readOnly`);
  }
  return readOperation(op, target, value, schema);
}

function parseOp(op: unknown, where: string): PatchOp {
  const name = typeof op === 'string' ? op.toLowerCase() : undefined;
  const known = PATCH_OPS.find((candidate) => candidate === name);
  if (known === undefined) {
    throw invalidSyntax(`${where}.op`, `one of ${PATCH_OPS.join(', ')}`, op);
  }
  return known;
}

/** The value then holds attributes by their names, which may also be paths (Entra ID's `name.givenName`). */
function parseWithoutPath(
  op: PatchOp,
  value: unknown,
  where: string,
  schema: ResourceSchema,
  dialect: Dialect,
): readonly PatchOperation[] {
  if (op === 'remove') {
    // RFC 7644 §3.5.2.2: "If "path" is unspecified, the operation fails with HTTP status code 400 and a "scimType" error
    // code of "noTarget"."
    throw badRequest('noTarget', `${where}.path: expected the path of what to remove, found nothing`);
  }
  if (!isObject(value)) {
    throw invalidValue(`${where}.value`, 'an object of attributes, as there is no path', value);
  }
  return Object.entries(value).flatMap(([name, inner]) => {
    const target = parseName(name, schema, dialect);
    // Whole resources are sent back, read-only attributes included: RFC 7644 §3.5.1 ignores these in a replace. Okta
    // renames a group with `{"id": …, "displayName": …}`.
    return target.isReadOnly || target.attribute === SCHEMAS ? [] : readOperation(op, target, inner, schema);
  });
}

function parseName(name: string, schema: ResourceSchema, dialect: Dialect): PatchTarget {
  const target = name.includes('[') ? parsePatchTarget(name, schema, dialect) : findPatchTarget(name, schema);
  if (target === undefined) {
    throw unknownAttribute(name, schema.type);
  }
  return target;
}

/** The member with this name in any case. */
function findMember(object: Readonly<Record<string, unknown>>, name: string, where: string): unknown {
  const found = Object.keys(object).filter((key) => key.toLowerCase() === name.toLowerCase());
  const [key, other] = found;
  if (other !== undefined) {
    // RFC 7644 §3.5.2: "exactly one "op" member"; the other members are no different.
    throw badRequest('invalidSyntax', `${where}: expected one "${name}", found ${found.length}`);
  }
  return key === undefined ? undefined : object[key];
}

function invalidSyntax(path: string, expected: string, found: unknown): ScimError {
  return badRequest('invalidSyntax', `${path}: expected ${expected}, found ${describeValue(found)}`);
}
