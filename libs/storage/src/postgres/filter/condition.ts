import type { ComparisonOperator } from '@palisade/domain';
import { sql, type RawBuilder } from 'kysely';
import { prefixSuccessor } from './prefix-successor.js';

/**
 * A boolean SQL expression. Null counts as false: `and`, `or` and `where` treat it so by themselves, {@link negation}
 * sees to it.
 */
export type Condition = RawBuilder<boolean>;
export type Expression = RawBuilder<unknown>;
export type Scalar = string | number | boolean;

export const ALWAYS: Condition = sql`true`;
export const NEVER: Condition = sql`false`;

export function conjunction(conditions: readonly Condition[]): Condition {
  return conditions.length === 0 ? ALWAYS : sql`(${sql.join(conditions, sql` and `)})`;
}

export function disjunction(conditions: readonly Condition[]): Condition {
  return conditions.length === 0 ? NEVER : sql`(${sql.join(conditions, sql` or `)})`;
}

export function negation(condition: Condition): Condition {
  return sql`(${condition}) is not true`;
}

/** Compares a text expression in code point order (its collation must be "C") with text; null is no value. */
export function compareText(expression: Expression, operator: ComparisonOperator, value: Scalar): Condition {
  if (typeof value !== 'string') {
    return otherType(expression, operator);
  }
  switch (operator) {
    // None of these takes a pattern, so no character of the value means anything but itself.
    case 'co':
      return sql`strpos(${expression}, ${value}) > 0`;
    case 'sw':
      return startsWith(expression, value);
    case 'ew':
      return sql`right(${expression}, ${Array.from(value).length}) = ${value}`;
    default:
      return compareOrdered(expression, operator, value);
  }
}

/** Compares a timestamptz expression as the canonical dateTime that a search document would hold. */
export function compareInstant(expression: Expression, operator: ComparisonOperator, value: Scalar): Condition {
  const instant = new Date(typeof value === 'string' ? value : Number.NaN);
  const isCanonical = !Number.isNaN(instant.getTime()) && instant.toISOString() === value;
  return isCanonical && operator !== 'co' && operator !== 'sw' && operator !== 'ew'
    ? compareOrdered(expression, operator, instant)
    : compareText(canonicalText(expression), operator, value);
}

export function compareBoolean(expression: Expression, operator: ComparisonOperator, value: Scalar): Condition {
  return typeof value === 'boolean' ? compareOrdered(expression, operator, value) : otherType(expression, operator);
}

/** A value of another type satisfies no comparison, and no value at all satisfies `ne`. */
function otherType(expression: Expression, operator: ComparisonOperator): Condition {
  return operator === 'ne' ? sql`${expression} is null` : NEVER;
}

function canonicalText(instant: Expression): Expression {
  return sql`to_char(${instant} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') collate "C"`;
}

function startsWith(expression: Expression, prefix: string): Condition {
  const successor = prefixSuccessor(prefix);
  return successor === undefined
    ? sql`${expression} >= ${prefix}`
    : sql`(${expression} >= ${prefix} and ${expression} < ${successor})`;
}

function compareOrdered(
  expression: Expression,
  operator: ComparisonOperator,
  value: string | boolean | Date,
): Condition {
  switch (operator) {
    case 'eq':
      return sql`${expression} = ${value}`;
    case 'ne':
      return sql`${expression} is distinct from ${value}`;
    case 'gt':
      return sql`${expression} > ${value}`;
    case 'ge':
      return sql`${expression} >= ${value}`;
    case 'lt':
      return sql`${expression} < ${value}`;
    case 'le':
      return sql`${expression} <= ${value}`;
    // Only a text has a beginning, a middle and an end.
    case 'co':
    case 'sw':
    case 'ew':
      return NEVER;
    default:
      return operator satisfies never;
  }
}
