import { isObject, type AttributeDefinition, type JsonObject, type JsonValue, type ResourceId } from '@palisade/domain';
import { EXTERNAL_ID, SCHEMAS } from '../schema/common-attributes.js';
import { describeValue, invalidValue, quote } from '../schema/invalid-value.js';
import { findSubAttribute, type ResourceSchema } from '../schema/resource-schema.js';
import { badRequest } from '../scim.errors.js';
import { isList } from '../values/document-values.js';
import { readMembers } from './read-members.js';
import { matchAttributes, readValue, unknownAttribute } from './read-value.js';
import { requireAttributes } from './require-attributes.js';

/** What a client says about a resource: validated, and told apart by what is set, cleared and not mentioned. */
export interface ResourceInput {
  /** Null clears it. */
  readonly externalId?: string | null;
  /** What is set: canonical names in the order of the schema, extensions under their URN, nothing null or empty. */
  readonly attributes: JsonObject;
  /** What was given as null or empty: `[name]`, `[urn]` or `[urn, name]`. */
  readonly cleared: readonly (readonly string[])[];
  /** The members of a group, each once; empty when given as null or empty. */
  readonly members?: readonly ResourceId[];
}

export interface ReadOptions {
  /** Reject a body without all required attributes. */
  readonly requireAll: boolean;
  /** Reject a body without `schemas`; default false. When given they are checked in any case. */
  readonly requireSchemas?: boolean;
}

/**
 * Validates the body of a create or a replace against the schema of its resource type. ReadOnly attributes are ignored
 * (RFC 7644 §3.3); attributes that are never returned (`password`) are validated and dropped: nothing keeps them.
 *
 * @throws {ScimError} 400 invalidSyntax when the body is no object, names an attribute that no schema defines or the
 *   same one twice; 400 invalidValue for everything else, naming the attribute and what was expected
 */
export function readResource(body: unknown, schema: ResourceSchema, options: ReadOptions): ResourceInput {
  if (!isObject(body)) {
    throw badRequest('invalidSyntax', `expected a JSON object, found ${describeValue(body)}`);
  }
  const given = matchBody(body, schema, options.requireSchemas ?? false);
  const members = schema.type === 'Group' ? schema.findAttribute('members') : undefined;
  const { attributes, cleared } = readAttributes(given, schema, members);
  if (options.requireAll) {
    requireAttributes(attributes, schema);
  }
  return {
    attributes,
    cleared,
    ...(given.has(EXTERNAL_ID) ? { externalId: readExternalId(given.get(EXTERNAL_ID)) } : {}),
    ...(members && given.has(members) ? { members: readMembers(members, given.get(members), members.name) } : {}),
  };
}

/** The input of a create with the defaults that the service assigns (RFC 7644 §3.3): a user is active. */
export function withDefaults(input: ResourceInput, schema: ResourceSchema): ResourceInput {
  return { ...input, attributes: assignDefaults(input.attributes, schema) };
}

/**
 * `active` for a user without it, so that every user is either active or not; in the order of the schema. A new user is
 * active. One that was stored stays as it was: to clear `active` must not enable a disabled user.
 *
 * RFC 7643 §7 is silent on what takes the place of a value that is removed.
 */
export function assignDefaults(attributes: JsonObject, schema: ResourceSchema, before: JsonObject = {}): JsonObject {
  if (schema.type !== 'User' || attributes.active !== undefined) {
    return attributes;
  }
  const completed: Record<string, JsonValue> = {};
  for (const { name } of [...schema.core.attributes, ...schema.extensionAttributes]) {
    const value = name === 'active' ? (before.active ?? true) : attributes[name];
    if (value !== undefined) {
      completed[name] = value;
    }
  }
  return completed;
}

type Given = ReadonlyMap<AttributeDefinition, unknown>;

function matchBody(body: Readonly<Record<string, unknown>>, schema: ResourceSchema, requireSchemas: boolean): Given {
  const unknownNames: string[] = [];
  const given = matchAttributes(
    body,
    (name) => schema.findAttribute(name),
    (name) => unknownNames.push(name),
  );
  const schemas = given.get(SCHEMAS) ?? undefined;
  if (schemas === undefined && requireSchemas) {
    throw invalidValue('schemas', `a list with ${quote(schema.core.id)}`, schemas);
  }
  const unknownSchemas = schemas === undefined ? new Set() : readSchemas(schemas, schema);
  // What belongs to a schema that was tolerated is dropped with it.
  const unknown = unknownNames.find((name) => !unknownSchemas.has(name.toLowerCase()));
  if (unknown !== undefined) {
    throw unknownAttribute(unknown, schema.type);
  }
  return given;
}

function readAttributes(
  given: Given,
  schema: ResourceSchema,
  members: AttributeDefinition | undefined,
): Pick<ResourceInput, 'attributes' | 'cleared'> {
  const cleared: string[][] = [];
  const own = schema.core.attributes.filter((attribute) => attribute !== members);
  const attributes = collect(own, given, [], cleared);
  for (const extension of schema.extensionAttributes) {
    const data = given.get(extension);
    if (data === null || (isList(data) && data.length === 0)) {
      cleared.push([extension.name]);
    } else if (data !== undefined) {
      const read = readExtension(extension, data, cleared);
      if (Object.keys(read).length > 0) {
        attributes[extension.name] = read;
      }
    }
  }
  return { attributes, cleared };
}

function readExtension(extension: AttributeDefinition, data: unknown, cleared: string[][]): JsonObject {
  if (!isObject(data)) {
    throw invalidValue(extension.name, 'an object', data);
  }
  const given = matchAttributes(
    data,
    (name) => findSubAttribute(extension, name),
    (name) => {
      throw unknownAttribute(name, extension.name);
    },
  );
  return collect(extension.subAttributes ?? [], given, [extension.name], cleared);
}

/** Reads those of `definitions` that are given; notes in `cleared` which of them are empty. */
function collect(
  definitions: readonly AttributeDefinition[],
  given: Given,
  parents: readonly string[],
  cleared: string[][],
): Record<string, JsonValue> {
  const attributes: Record<string, JsonValue> = {};
  for (const attribute of definitions) {
    if (!given.has(attribute)) {
      continue;
    }
    const path = [...parents, attribute.name];
    const value = readValue(attribute, given.get(attribute), path.join(':'));
    if (attribute.returned === 'never') {
      continue;
    }
    if (value === undefined) {
      cleared.push(path);
    } else {
      attributes[attribute.name] = value;
    }
  }
  return attributes;
}

function readExternalId(value: unknown): string | null {
  const externalId = readValue(EXTERNAL_ID, value, EXTERNAL_ID.name);
  return typeof externalId === 'string' ? externalId : null;
}

const MAX_SCHEMAS = 100;

/**
 * Checks the `schemas` of a request body (RFC 7643 §3).
 *
 * @returns the URNs, in lower case, that name no schema of this resource type: allowed for groups only, because
 *   Entra ID gives one of its own there
 * @throws {ScimError} 400 invalidSyntax unless it is a list of strings, 400 invalidValue when the core schema is missing
 *   or a schema is not one of the resource type's
 */
export function readSchemas(value: unknown, schema: ResourceSchema): ReadonlySet<string> {
  if (!isList(value) || value.length > MAX_SCHEMAS || !value.every((urn) => typeof urn === 'string')) {
    throw badRequest('invalidSyntax', `schemas: expected a list of at most ${MAX_SCHEMAS} schema URNs`);
  }
  const urns = new Set(value.map((urn) => urn.toLowerCase()));
  if (!urns.delete(schema.core.id.toLowerCase())) {
    throw badRequest('invalidValue', `schemas: expected ${quote(schema.core.id)} to be in it`);
  }
  const unknown = new Set([...urns].filter((urn) => schema.findExtension(urn) === undefined));
  const [first] = unknown;
  if (first !== undefined && schema.type !== 'Group') {
    // RFC 7643 §3: "MUST only contain values defined as "schema" and "schemaExtensions"".
    throw invalidValue('schemas', `schemas of the resource type ${schema.type}`, first);
  }
  return unknown;
}
