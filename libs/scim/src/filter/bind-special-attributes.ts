import type { AttributeDefinition, Filter } from '@palisade/domain';
import { SCHEMAS } from '../schema/common-attributes.js';
import type { ResourceSchema } from '../schema/resource-schema.js';
import { badRequest } from '../scim.errors.js';
import { lastStep, referenceTo, type Steps } from './attribute-scope.js';
import { bindLiteral } from './bind-literal.js';
import type { ComparisonExpression } from './filter-expression.js';

/** Holds for every resource. */
export const ALWAYS: Filter = { kind: 'and', operands: [] };
/** Holds for none. */
export const NEVER: Filter = { kind: 'or', operands: [] };

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

type Comparison = Extract<Filter, { readonly kind: 'compare' }>;

/** Whether steps lead to the `primary` of a multi-valued attribute. */
export function isPrimary(steps: Steps, parents: readonly AttributeDefinition[]): boolean {
  const { name, type } = lastStep(steps);
  return name === 'primary' && type === 'boolean' && [...parents, ...steps].some(({ multiValued }) => multiValued);
}

/**
 * A comparison of `primary` that takes an element without it for one that is not primary. RFC 7643 §2.4: "If not
 * specified, the value of 'primary' SHALL be assumed to be 'false'".
 *
 * @param steps to `primary` from where the comparison's references start
 */
export function assumePrimary(comparison: Comparison, steps: Steps): Filter {
  const isWanted = (comparison.operator === 'eq') === comparison.value;
  const attribute = referenceTo([lastStep(steps)]);
  const isTrue: Filter = { kind: 'compare', attribute, operator: 'eq', value: true };
  const filter: Filter = isWanted ? isTrue : { kind: 'not', operand: isTrue };
  const [first, ...rest] = steps.slice(0, -1);
  if (first === undefined) {
    return filter;
  }
  const list = referenceTo([first, ...rest]);
  const anyElement: Filter = { kind: 'element', attribute: list, filter };
  // Without any element there is no value, and then `ne` holds.
  const isEmpty: Filter = { kind: 'not', operand: { kind: 'present', attribute: list } };
  return comparison.operator === 'ne' ? { kind: 'or', operands: [anyElement, isEmpty] } : anyElement;
}
