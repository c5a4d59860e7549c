import {
  MAX_GROUP_MEMBERS,
  type CursorPosition,
  type PageRequest,
  type ProviderId,
  type ResourceQuery,
  type Selection,
} from '@palisade/domain';
import { sql, type RawBuilder } from 'kysely';
import { ALWAYS, conjunction, type Condition, type Expression } from '../filter/condition.js';
import { filterCondition } from '../filter/filter-sql.js';
import { isLookup } from '../filter/lookup.js';
import { noSortValue, sortKey, sortParameter, type SortKind } from '../filter/sort-sql.js';
import { RESOURCE_COLUMNS, inclusionColumns, type ResourceRow } from './resource-row.js';

export interface PageRow extends ResourceRow {
  readonly sequence: number;
  readonly sort_value: string | number | boolean | Date | null;
  /** How many rows of the query there are from the start of the page, up to one more than the page holds. */
  readonly fetched: number;
}

/** Selections that sort together need one kind of sort value; those that differ are compared as text. */
interface Order {
  readonly direction: ResourceQuery['order'];
  readonly kind: SortKind;
  readonly isMixed: boolean;
}

/**
 * The page of a query, at most `count` resources. Its place is found in narrow rows first, from an index alone where one
 * has the order, and only what is on the page is read whole: so a page far behind costs little more than the first.
 */
export function pageStatement(provider: ProviderId, query: ResourceQuery): RawBuilder<PageRow> {
  const { page, include, selections } = query;
  const order = orderOf(provider, query);
  const types = new Set(selections.map(({ type }) => type));
  const included = inclusionColumns({
    groups: include.groups && types.has('User'),
    members: include.members && types.has('Group'),
  });
  const withinBudget = include.members ? sql`and (r.place = 1 or r.members_so_far <= ${MAX_GROUP_MEMBERS})` : sql``;
  return sql`
    with page as (${pagePositions(provider, query, order)}),
    placed as (
      select ${sql.raw(RESOURCE_COLUMNS)}, p.sequence, p.sort_value, count(*) over () as fetched,
        row_number() over ranked as place, sum(r.member_count) over ranked as members_so_far
      from page p
      join resources r
        on r.provider_id = ${provider} and r.resource_type = p.resource_type and r.sequence = p.sequence
      window ranked as (order by ${orderBy('p', order)})
    )
    select ${sql.raw(RESOURCE_COLUMNS)}, r.sequence, r.sort_value, r.fetched ${sql.raw(included)}
    from placed r
    where r.place <= ${page.count} ${withinBudget}
    order by r.place`;
}

/** How many resources a query selects. */
export function totalStatement(provider: ProviderId, { selections }: ResourceQuery): RawBuilder<{ total: number }> {
  const counts = selections.map(
    (selection) => sql`(select count(*) from resources r where ${selected(provider, selection)})`,
  );
  return sql`select ${sql.join(counts, sql` + `)} as total`;
}

/** Sequences of the resources on the page and of the one behind them. */
function pagePositions(provider: ProviderId, { page, selections }: ResourceQuery, order: Order): RawBuilder<unknown> {
  const offset = page.kind === 'index' ? Math.max(0, page.startIndex - 1) : 0;
  const limit = page.count + 1;
  const starts = startConditions(page, order);
  const parts = selections.flatMap((selection) => {
    const source = selectedPositions(provider, selection, order);
    return starts.map((start) => sql`select * from (${source}) s where ${start}`);
  });
  const [only = sql``, ...others] = parts;
  if (others.length === 0) {
    return sql`${only} order by ${orderBy('s', order)} limit ${limit} offset ${offset}`;
  }
  // Each part is cut off by itself, so that each reads its index no further than the page may reach.
  const cutOff = parts.map((part) => sql`(${part} order by ${orderBy('s', order)} limit ${limit + offset})`);
  return sql`
    select * from (${sql.join(cutOff, sql` union all `)}) s
    order by ${orderBy('s', order)} limit ${limit} offset ${offset}`;
}

function selectedPositions(provider: ProviderId, selection: Selection, order: Order): RawBuilder<unknown> {
  // "offset 0" keeps the planner from merging this select with the ordering around it.
  const fence = selection.filter && isLookup(selection.filter) ? sql`offset 0` : sql``;
  return sql`
    select r.resource_type, r.sequence, ${sortValue(provider, selection, order)} as sort_value
    from resources r where ${selected(provider, selection)} ${fence}`;
}

function sortValue(provider: ProviderId, selection: Selection, { kind, isMixed }: Order): Expression {
  const key = sortKey(selection, provider);
  if (!key) {
    return noSortValue(kind);
  }
  return isMixed ? sql`(${key.expression})::text collate "C"` : key.expression;
}

function selected(provider: ProviderId, { type, filter }: Selection): Condition {
  const scope: Condition[] = [sql`r.provider_id = ${provider}`, sql`r.resource_type = ${type}`];
  return conjunction(filter ? [...scope, filterCondition(filter, { provider, type })] : scope);
}

function orderOf(provider: ProviderId, { order: direction, selections }: ResourceQuery): Order {
  const keys = selections.map((selection) => sortKey(selection, provider)).filter((key) => key !== undefined);
  const kinds = new Set(keys.map((key) => key.kind));
  const [kind = 'text'] = kinds;
  return { direction, kind: kinds.size === 1 ? kind : 'text', isMixed: kinds.size > 1 };
}

/** RFC 7644 §3.4.2.3: no value comes last when ascending, first when descending. */
function orderBy(table: 's' | 'p', { direction }: Order): RawBuilder<unknown> {
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

/**
 * Where a page begins: the rows behind a cursor, as conditions that exclude each other, so that each is one range of an
 * index.
 */
function startConditions(page: PageRequest, order: Order): readonly Condition[] {
  return page.kind === 'cursor' && page.after ? conditionsAfter(page.after, order) : [ALWAYS];
}

function conditionsAfter({ sequence, sortValue }: CursorPosition, { direction, kind }: Order): readonly Condition[] {
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
