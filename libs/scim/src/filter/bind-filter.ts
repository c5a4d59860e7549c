import type { AttributeDefinition, Filter } from '@palisade/domain';
import { SCHEMAS } from '../schema/common-attributes.js';
import type { ResourceSchema } from '../schema/resource-schema.js';
import { badRequest } from '../scim.errors.js';
import {
  type AttributeScope,
  checkSearchable,
  comparableSteps,
  elementScope,
  lastStep,
  referenceTo,
  rootScope,
  type Steps,
} from './attribute-scope.js';
import { bindLiteral, checkOperator } from './bind-literal.js';
import { ALWAYS, assumePrimary, bindSchemas, isPrimary, NEVER } from './bind-special-attributes.js';
import { dropRepeatedConditions } from './drop-repeated-conditions.js';
import type {
  ComparisonExpression,
  FilterExpression,
  PresenceExpression,
  ValuePathExpression,
} from './filter-expression.js';
import { checkWeight } from './filter-weight.js';

export interface BindFilterOptions {
  /**
   * What an attribute is that the schema does not define: an error, or an attribute without a value (RFC 7644
   * §3.4.2.1, for a query over several resource types). Default `reject`.
   */
  readonly unknownAttributes?: 'reject' | 'absent';
  /** With `reject`: which unknown attributes count as without a value even so. Given a path as the filter writes it. */
  readonly isAbsentAttribute?: (path: string) => boolean;
}

/** How much of a name an error message shows. */
const MAX_SHOWN_LENGTH = 200;

interface Binding {
  readonly scope: AttributeScope;
  /** At the root of a resource. */
  readonly schema?: ResourceSchema;
  readonly isAbsent: (path: string) => boolean;
}

/**
 * Resolves a filter against a resource type: a filter that stores and `matches` evaluate without the schema. A condition
 * that is repeated is in it once.
 *
 * @throws {ScimError} 400 invalidFilter when an attribute is unknown or not searchable, or does not go with the
 *   operator or the value; 400 tooMany when its conditions weigh too much; 403 sensitive when an attribute is never returned
 */
export function bindFilter(
  expression: FilterExpression,
  schema: ResourceSchema,
  { unknownAttributes = 'reject', isAbsentAttribute = () => false }: BindFilterOptions = {},
): Filter {
  const isAbsent = unknownAttributes === 'absent' ? () => true : isAbsentAttribute;
  const filter = dropRepeatedConditions(bind(expression, { scope: rootScope(schema), schema, isAbsent }));
  checkWeight(filter);
  return filter;
}

/**
 * Resolves the filter between the brackets of a value path against the sub-attributes of a complex attribute; its
 * references start at the element. It is not weighed: whoever evaluates it bounds how often.
 *
 * @throws {ScimError} as {@link bindFilter}, without tooMany
 */
export function bindElementFilter(expression: FilterExpression, attribute: AttributeDefinition): Filter {
  return bind(expression, { scope: elementScope([attribute]), isAbsent: () => false });
}

function bind(expression: FilterExpression, binding: Binding): Filter {
  switch (expression.kind) {
    case 'and':
    case 'or':
      return { kind: expression.kind, operands: expression.operands.map((operand) => bind(operand, binding)) };
    case 'not':
      return { kind: 'not', operand: bind(expression.operand, binding) };
    case 'compare':
      return expression.value === null ? bindNull(expression, binding) : bindComparison(expression, binding);
    case 'present':
      return bindPresence(expression, binding);
    case 'valuePath':
      return bindValuePath(expression, binding);
    default:
      return expression satisfies never;
  }
}

function bindComparison(expression: ComparisonExpression, binding: Binding): Filter {
  const { scope, schema } = binding;
  if (schema && isSchemas(expression, binding)) {
    return bindSchemas(expression, schema);
  }
  const found = resolve(expression, binding);
  if (found === undefined) {
    return expression.operator === 'ne' ? ALWAYS : NEVER;
  }
  const steps = comparableSteps(found);
  if (steps === undefined) {
    throw badRequest('invalidFilter', `${shownPath(expression)}: expected one of its sub-attributes`);
  }
  checkSearchable(scope, steps, 'invalidFilter', shownPath(expression));
  checkOperator(expression, lastStep(steps));
  const value = bindLiteral(expression, lastStep(steps));
  const { operator } = expression;
  const comparison = { kind: 'compare', attribute: referenceTo(steps), operator, value } as const;
  return isPrimary(steps, scope.parents) ? assumePrimary(comparison, steps) : comparison;
}

function isSchemas({ path }: NamingExpression, { scope }: Binding): boolean {
  const steps = scope.resolve(path);
  return steps !== undefined && lastStep(steps) === SCHEMAS;
}

/** RFC 7643 §2.5: null and "unassigned" are equivalent in state, so `eq null` means "has no value". ADR-0004. */
function bindNull(expression: ComparisonExpression, binding: Binding): Filter {
  if (expression.operator !== 'eq' && expression.operator !== 'ne') {
    throw badRequest(
      'invalidFilter',
      `filter: expected eq or ne with null, found "${expression.operator}" at offset ${expression.valueOffset}`,
    );
  }
  const present = bindPresence(expression, binding);
  return expression.operator === 'ne' ? present : { kind: 'not', operand: present };
}

function bindPresence(expression: ComparisonExpression | PresenceExpression, binding: Binding): Filter {
  if (isSchemas(expression, binding)) {
    return ALWAYS;
  }
  const steps = resolve(expression, binding);
  return steps === undefined ? NEVER : { kind: 'present', attribute: referenceTo(steps) };
}

function bindValuePath(expression: ValuePathExpression, binding: Binding): Filter {
  if (binding.scope.parents.length > 0) {
    throw badRequest('invalidFilter', `${shownPath(expression)}: expected no value path inside a value path`);
  }
  const steps = resolve(expression, binding);
  if (steps === undefined) {
    return NEVER;
  }
  if (lastStep(steps).type !== 'complex') {
    throw badRequest('invalidFilter', `${shownPath(expression)}: expected a complex attribute before "["`);
  }
  const isAbsent = (path: string): boolean => binding.isAbsent(`${expression.path}.${path}`);
  const filter = bind(expression.filter, { scope: elementScope(steps), isAbsent });
  return { kind: 'element', attribute: referenceTo(steps), filter };
}

type NamingExpression = ComparisonExpression | PresenceExpression | ValuePathExpression;

/** Undefined when the attribute is unknown and that is accepted. */
function resolve(expression: NamingExpression, { scope, isAbsent }: Binding): Steps | undefined {
  const steps = scope.resolve(expression.path);
  if (steps !== undefined) {
    checkSearchable(scope, steps, 'invalidFilter', shownPath(expression));
  } else if (!isAbsent(expression.path)) {
    throw badRequest('invalidFilter', `${shownPath(expression)}: expected ${scope.expected}`);
  }
  return steps;
}

function shownPath({ path, pathOffset }: NamingExpression): string {
  return `filter: ${JSON.stringify(path.slice(0, MAX_SHOWN_LENGTH))} at offset ${pathOffset}`;
}
