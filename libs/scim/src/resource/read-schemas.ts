import { badRequest } from '../errors/scim.error.js';
import { invalidValue, quote } from '../schema/invalid-value.js';
import type { ResourceSchema } from '../schema/resource-schema.js';
import { isList } from './json-kind.js';

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
