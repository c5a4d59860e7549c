import type { Filter } from '@palisade/domain';
import { badRequest } from '../errors/scim.error.js';
import type { ResourceSchema } from '../schema/resource-schema.js';
import { bindLiteral } from './bind-literal.js';
import type { ComparisonExpression } from './filter-expression.js';
import { SCHEMAS } from '../schema/common-attributes.js';
import { ALWAYS, NEVER } from './constant-filters.js';

/**
 * A comparison of `schemas`, which is not stored: every resource uses its core schema, and an extension when it has
 * data of it. RFC 7644 figure 2 has `schemas eq "urn:…"` as an example.
 *
 * @throws {ScimError} 400 invalidFilter for any operator but eq and ne
 */
export function bindSchemas(expression: ComparisonExpression, schema: ResourceSchema): Filter {
  const urn = bindLiteral(expression, SCHEMAS);
  const extension = schema.extensionAttributes.find(({ name }) => name === urn);
  switch (expression.operator) {
    case 'eq':
      return urn === schema.core.id ? ALWAYS : extension ? isUsed(extension.name) : NEVER;
    case 'ne':
      // RFC 7644 §3.4.2.2: any of the values suffices; besides the core schema there may be only extensions.
      return urn === schema.core.id
        ? { kind: 'or', operands: schema.extensionAttributes.map(({ name }) => isUsed(name)) }
        : ALWAYS;
    default:
      throw badRequest(
        'invalidFilter',
        `filter: expected eq or ne with "schemas", found "${expression.operator}" at offset ${expression.pathOffset}`,
      );
  }
}

function isUsed(extension: string): Filter {
  return { kind: 'present', attribute: { path: [extension], type: 'complex', multiValued: false } };
}
