import type { CursorPosition, PageRequest } from '@palisade/domain';
import { sql, type RawBuilder } from 'kysely';
import { ALWAYS, type Condition, type Expression } from '../filter/condition.js';
import { sortParameter, type SortKind } from '../filter/sort-sql.js';
import { startInBuckets } from './resource-counts.js';

/** Selections that sort together need one kind of sort value; those that differ are compared as text. */
export interface PageOrder {
  readonly direction: 'created' | 'ascending' | 'descending';
  readonly kind: SortKind;
  readonly isMixed: boolean;
}

/** Where a page lies in the positions `s (sequence, sort_value)`, put in order. */
export interface PageStart {
  /** Common table expressions that the others refer to. */
  readonly definitions: readonly RawBuilder<unknown>[];
  /** The page lies among the rows of these; they exclude each other, so that each is one range of an index. */
  readonly conditions: readonly Condition[];
  /** How many of those rows precede the page. */
  readonly offset: Expression;
  /** The length of the page and one more. */
  readonly limit: Expression;
}

/** @param hasBuckets whether the statement has `bucketsOf` what it selects */
export function pageStart(page: PageRequest, order: PageOrder, hasBuckets: boolean): PageStart {
  return hasBuckets && order.direction === 'created' ? countedStart(page) : searchedStart(page, order);
}

/** A page of everything, in order of creation. */
function countedStart(page: PageRequest): PageStart {
  const limit = unplanned(page.count + 1);
  if (page.kind === 'index') {
    return {
      definitions: [startInBuckets(Math.max(0, page.startIndex - 1))],
      conditions: [sql`s.sequence >= (select sequence from start)`],
      offset: sql`(select remainder from start)`,
      limit,
    };
  }
  const conditions = page.after ? [sql<boolean>`s.sequence > ${unplanned(page.after.sequence)}`] : [ALWAYS];
  return { definitions: [], conditions, offset: sql`0`, limit };
}

/**
 * A number that the planner cannot see. It would make a plan of its own for every page, because one for known numbers
 * looks cheaper, although all are the same; planning takes as long as half of the page.
 */
function unplanned(value: number): Expression {
  return sql`(select ${value}::bigint)`;
}

function searchedStart(page: PageRequest, order: PageOrder): PageStart {
  const isBehind = page.kind === 'cursor' && page.after !== undefined;
  return {
    definitions: [],
    conditions: isBehind ? conditionsAfter(page.after, order) : [ALWAYS],
    offset: sql`${page.kind === 'index' ? Math.max(0, page.startIndex - 1) : 0}::bigint`,
    limit: sql`${page.count + 1}::bigint`,
  };
}

/** RFC 7644 §3.4.2.3: no value comes last when ascending, first when descending. */
export function orderBy(table: 's' | 'p', { direction }: PageOrder): RawBuilder<unknown> {
  const position = sql.ref(`${table}.sequence`);
  const value = sql.ref(`${table}.sort_value`);
  switch (direction) {
    case 'created':
      return position;
    case 'ascending':
      return sql`${value} asc nulls last, ${position}`;
    case 'descending':
      return sql`${value} desc nulls first, ${position}`;
    default:
      return direction satisfies never;
  }
}

function conditionsAfter(
  { sequence, sortValue }: CursorPosition,
  { direction, kind }: PageOrder,
): readonly Condition[] {
  if (direction === 'created') {
    return [sql`s.sequence > ${sequence}`];
  }
  const isAscending = direction === 'ascending';
  if (sortValue === undefined || sortValue === null) {
    const rest = sql<boolean>`s.sort_value is null and s.sequence > ${sequence}`;
    return isAscending ? [rest] : [rest, sql`s.sort_value is not null`];
  }
  const value = sortParameter(kind, sortValue);
  return isAscending
    ? [sql`(s.sort_value, s.sequence) > (${value}, ${sequence})`, sql`s.sort_value is null`]
    : [sql`s.sort_value = ${value} and s.sequence > ${sequence}`, sql`s.sort_value < ${value}`];
}
