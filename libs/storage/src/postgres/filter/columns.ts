import type { AttributeReference, ComparisonOperator } from '@palisade/domain';
import { sql } from 'kysely';
import {
  compareBoolean,
  compareInstant,
  compareText,
  type Condition,
  type Expression,
  type Scalar,
} from './condition.js';

/** How many characters of `userName` and `displayName` their columns hold: what a B-tree index surely takes. */
export const INDEXED_TEXT_LENGTH = 512;

/** An attribute that has a column of `resources`, called `r` in every statement. */
export interface Column {
  readonly kind: 'text' | 'instant' | 'boolean';
  readonly expression: Expression;
  /** Holds the first {@link INDEXED_TEXT_LENGTH} characters only. */
  readonly isPrefix?: boolean;
}

const COLUMNS: ReadonlyMap<string, Column> = new Map<string, Column>([
  ['id', { kind: 'text', expression: sql`r.id` }],
  ['externalId', { kind: 'text', expression: sql`r.external_id` }],
  ['userName', { kind: 'text', expression: sql`r.user_name`, isPrefix: true }],
  ['displayName', { kind: 'text', expression: sql`r.display_name`, isPrefix: true }],
  ['active', { kind: 'boolean', expression: sql`r.active` }],
  ['meta.resourceType', { kind: 'text', expression: sql`r.resource_type` }],
  ['meta.created', { kind: 'instant', expression: sql`r.created_at` }],
  ['meta.lastModified', { kind: 'instant', expression: sql`r.modified_at` }],
]);

export function columnOf(attribute: AttributeReference): Column | undefined {
  return COLUMNS.get(attribute.path.join('.'));
}

/** Whether comparing the column gives the same answer as comparing the whole value. */
export function isExact(column: Column, operator: ComparisonOperator, value: Scalar): boolean {
  if (!column.isPrefix) {
    return true;
  }
  // A shorter text compares with the whole value as it does with its first characters; only the middle and end differ.
  return operator !== 'co' && operator !== 'ew' && Array.from(String(value)).length < INDEXED_TEXT_LENGTH;
}

export function compareColumn(column: Column, operator: ComparisonOperator, value: Scalar): Condition {
  switch (column.kind) {
    case 'text':
      return compareText(column.expression, operator, value);
    case 'instant':
      return compareInstant(column.expression, operator, value);
    case 'boolean':
      return compareBoolean(column.expression, operator, value);
    default:
      return column.kind satisfies never;
  }
}

export function columnIsPresent({ kind, expression }: Column): Condition {
  return kind === 'text' ? sql`${expression} <> ''` : sql`${expression} is not null`;
}
