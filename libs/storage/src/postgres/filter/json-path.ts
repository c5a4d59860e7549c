import type { ComparisonOperator, Filter } from '@palisade/domain';
import type { Scalar } from './condition.js';

/**
 * A filter as a predicate of SQL/JSON path, for `search @? '$."provider" ? (predicate)'`. In lax mode, the default,
 * a path leads through every list on its way and a missing key leads nowhere, which is how `matches` of
 * `@palisade/scim` reads a search document.
 *
 * Every predicate is true or false, never unknown: comparisons stand inside `exists(… ? (…))`, and a filter expression
 * drops what it cannot compare, such as a number with a text. So `!` may negate any of them. `@` is the document or,
 * inside `element`, the element.
 *
 * Equality comes out as `path ? (@ == literal)`, the form that a jsonb_path_ops index answers.
 */
export function jsonPathPredicate(filter: Filter): string {
  switch (filter.kind) {
    case 'and':
      return joined(filter.operands, ' && ', '1 == 1');
    case 'or':
      return joined(filter.operands, ' || ', '1 == 0');
    case 'not':
      return `!(${jsonPathPredicate(filter.operand)})`;
    case 'compare':
      return comparison(accessors(filter.attribute.path), filter.operator, filter.value);
    case 'present':
      // `.**` reaches the value itself and everything in it. RFC 7644 §3.4.2.2: "contains a non-empty node".
      return `exists(@${accessors(filter.attribute.path)}.** ? (@ > "" || @.type() == "number" || @.type() == "boolean"))`;
    case 'element':
      return `exists(@${accessors(filter.attribute.path)} ? (@.type() == "object" && ${jsonPathPredicate(filter.filter)}))`;
    default:
      return filter satisfies never;
  }
}

/** `."name"."familyName"`. A JSON string literal is a string literal of a path as well. */
export function accessors(path: readonly string[]): string {
  return path.map((name) => `.${JSON.stringify(name)}`).join('');
}

function joined(operands: readonly Filter[], operator: string, none: string): string {
  return operands.length === 0 ? none : `(${operands.map(jsonPathPredicate).join(operator)})`;
}

function comparison(path: string, operator: ComparisonOperator, value: Scalar): string {
  const holds = `exists(@${path} ? (${test(operator, value)}))`;
  return operator === 'ne' ? `(${holds} || !exists(@${path} ? (@ != null)))` : holds;
}

function test(operator: ComparisonOperator, value: Scalar): string {
  switch (operator) {
    case 'eq':
      return `@ == ${literal(value)}`;
    case 'ne':
      return `@ != ${literal(value)}`;
    case 'gt':
      return `@ > ${literal(value)}`;
    case 'ge':
      return `@ >= ${literal(value)}`;
    case 'lt':
      return `@ < ${literal(value)}`;
    case 'le':
      return `@ <= ${literal(value)}`;
    case 'co':
    case 'sw':
    case 'ew':
      return typeof value === 'string' ? substringTest(operator, value) : '1 == 0';
    default:
      return operator satisfies never;
  }
}

function substringTest(operator: 'co' | 'sw' | 'ew', value: string): string {
  switch (operator) {
    case 'co':
      // The flag "q" takes the whole expression literally.
      return `@ like_regex ${literal(value)} flag "q"`;
    case 'sw':
      return `@ starts with ${literal(value)}`;
    case 'ew':
      return `@ like_regex ${literal(`${escapeRegularExpression(value)}$`)}`;
    default:
      return operator satisfies never;
  }
}

/** Texts and numbers as in JSON. JSON has no infinity; every number that is stored is nearer to zero than 1e400. */
function literal(value: Scalar): string {
  if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY) {
    return value > 0 ? '1e400' : '-1e400';
  }
  return JSON.stringify(value);
}

function escapeRegularExpression(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
}
