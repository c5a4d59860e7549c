import {
  MAX_GROUPS_PER_PAGE,
  MAX_GROUP_MEMBERS,
  MAX_PAGE_BYTES,
  type GroupId,
  type Inclusion,
  type ProviderId,
  type ResourceQuery,
  type Selection,
} from '@palisade/domain';
import { sql, type RawBuilder } from 'kysely';
import { conjunction, type Condition, type Expression } from '../filter/condition.js';
import { filterCondition } from '../filter/filter-sql.js';
import { isLookup } from '../filter/lookup.js';
import { noSortValue, sortKey } from '../filter/sort-sql.js';
import { orderBy, pageStart, type PageOrder, type PageStart } from './page-start.js';
import { TOTAL_OF_BUCKETS, bucketsOf } from './resource-counts.js';
import { RESOURCE_COLUMNS, pageInclusionColumns, type ResourceRow } from './resource-row.js';

/** A page has one row at least: when there is no resource on it, one with the total only. */
export type PageRow = ResourceOnPage | { readonly id: null; readonly total: number | null };

export interface ResourceOnPage extends ResourceRow {
  /** When groups are included: those that a user is a direct member of, null for none. */
  readonly direct_groups?: readonly GroupId[] | null;
  readonly sequence: number;
  readonly sort_value: string | number | boolean | Date | null;
  /** How many rows of the query there are from the start of the page, up to one more than the page holds. */
  readonly fetched: number;
  /** How many resources the query selects, if it has no filter, so that they need not be read. */
  readonly total: number | null;
}

/**
 * The page of a query, at most `count` resources. Its place is found in narrow rows first, from an index alone where one
 * has the order, and only what is on the page is read whole: so a page far behind costs little more than the first.
 */
export function pageStatement(provider: ProviderId, query: ResourceQuery): RawBuilder<PageRow> {
  const { page, include, selections } = query;
  const order = orderOf(provider, query);
  const types = selections.map(({ type }) => type);
  const included: Inclusion = {
    groups: include.groups && types.includes('User'),
    members: types.includes('Group') && include.members,
  };
  const hasBuckets = isUnfiltered(query);
  const start = pageStart(page, order, hasBuckets);
  const definitions = [
    ...(hasBuckets ? [bucketsOf(provider, types)] : []),
    ...start.definitions,
    sql`page as (${pagePositions(provider, query, order, start)})`,
  ];
  return sql`
    with ${sql.join(definitions)},
    placed as (
      select ${sql.raw(RESOURCE_COLUMNS)}, p.sequence, p.sort_value, count(*) over () as fetched,
        row_number() over ranked as place ${sizesSoFar(included)}
      from page p
      cross join lateral (${resourceAt(provider)}) r
      window ranked as (order by ${orderBy('p', order)})
    )
    select ${sql.raw(RESOURCE_COLUMNS)}, r.sequence, r.sort_value, r.fetched, t.total
      ${sql.raw(pageInclusionColumns(included))}
    from (select ${hasBuckets ? TOTAL_OF_BUCKETS : sql`null::bigint`} as total) t
    left join placed r on r.place <= ${page.count} ${withinBudget(included)}
    order by r.place`;
}

/**
 * The resource at a position `p`. Several indexes have the sequence in them, which look equally good while there are few
 * resources, but only one is in its order. "=" would make any order do.
 */
function resourceAt(provider: ProviderId): RawBuilder<unknown> {
  return sql`
    select * from resources r
    where r.provider_id = ${provider} and r.resource_type = p.resource_type
      and r.sequence between p.sequence and p.sequence
    order by r.sequence limit 1`;
}

/** Running totals from the start of the page to each of its resources. */
function sizesSoFar({ groups, members }: Inclusion): RawBuilder<unknown> {
  const directGroups = sql`
    (select count(*) from memberships m
      where m.provider_id = r.provider_id and m.member_id = r.id and r.resource_type = 'User')`;
  return sql`, sum(r.attributes_bytes) over ranked as bytes_so_far
    ${members ? sql`, sum(r.member_count) over ranked as members_so_far` : sql``}
    ${groups ? sql`, sum(${directGroups}) over ranked as groups_so_far` : sql``}`;
}

/** Whether the page can hold a resource; the groups above the direct ones are yet to be added to those. */
function withinBudget({ groups, members }: Inclusion): RawBuilder<unknown> {
  return sql`and (r.place = 1 or r.bytes_so_far <= ${MAX_PAGE_BYTES})
    ${members ? sql`and (r.place = 1 or r.members_so_far <= ${MAX_GROUP_MEMBERS})` : sql``}
    ${groups ? sql`and (r.place = 1 or r.groups_so_far <= ${MAX_GROUPS_PER_PAGE})` : sql``}`;
}

/** How many resources a query selects. */
export function totalStatement(provider: ProviderId, query: ResourceQuery): RawBuilder<{ total: number }> {
  const { selections } = query;
  if (isUnfiltered(query)) {
    const types = selections.map(({ type }) => type);
    return sql`with ${bucketsOf(provider, types)} select ${TOTAL_OF_BUCKETS} as total`;
  }
  const counts = selections.map(
    (selection) => sql`(select count(*) from resources r where ${selected(provider, selection)})`,
  );
  return sql`select ${sql.join(counts, sql` + `)} as total`;
}

/** Sequences of the resources on the page and of the one behind them. */
function pagePositions(
  provider: ProviderId,
  { selections }: ResourceQuery,
  order: PageOrder,
  { conditions, offset, limit }: PageStart,
): RawBuilder<unknown> {
  const parts = selections.flatMap((selection) => {
    const source = selectedPositions(provider, selection, order);
    return conditions.map((condition) => sql`select * from (${source}) s where ${condition}`);
  });
  const [only = sql``, ...others] = parts;
  if (others.length === 0) {
    return sql`${only} order by ${orderBy('s', order)} limit ${limit} offset ${offset}`;
  }
  // Each part is cut off by itself, so that each reads its index no further than the page may reach.
  const cutOff = parts.map((part) => sql`(${part} order by ${orderBy('s', order)} limit ${limit} + ${offset})`);
  return sql`
    select * from (${sql.join(cutOff, sql` union all `)}) s
    order by ${orderBy('s', order)} limit ${limit} offset ${offset}`;
}

function selectedPositions(provider: ProviderId, selection: Selection, order: PageOrder): RawBuilder<unknown> {
  // "offset 0" keeps the planner from merging this select with the ordering around it.
  const fence = selection.filter && isLookup(selection.filter) ? sql`offset 0` : sql``;
  return sql`
    select r.resource_type, r.sequence, ${sortValue(provider, selection, order)} as sort_value
    from resources r where ${selected(provider, selection)} ${fence}`;
}

function sortValue(provider: ProviderId, selection: Selection, { kind, isMixed }: PageOrder): Expression {
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

function isUnfiltered({ selections }: ResourceQuery): boolean {
  return selections.every(({ filter }) => filter === undefined);
}

function orderOf(provider: ProviderId, { order: direction, selections }: ResourceQuery): PageOrder {
  const keys = selections.map((selection) => sortKey(selection, provider)).filter((key) => key !== undefined);
  const kinds = new Set(keys.map((key) => key.kind));
  const [kind = 'text'] = kinds;
  return { direction, kind: kinds.size === 1 ? kind : 'text', isMixed: kinds.size > 1 };
}
