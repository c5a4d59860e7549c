import {
  type CursorPosition,
  type Filter,
  type Inclusion,
  MAX_GROUP_MEMBERS,
  MAX_GROUPS_PER_PAGE,
  MAX_PAGE_BYTES,
  type JsonObject,
  type PageRequest,
  type ResourcePage,
  type ResourceQuery,
  type Selection,
  type StoredResource,
} from '@palisade/domain';
import { compareValues, matches, sortValue } from '@palisade/scim';
import { partitionPoint } from '../collections.js';
import { presentRecord } from './present-record.js';
import type { ProviderDirectory } from './provider-directory.js';
import type { ResourceRecord, ResourceTable } from './resource-table.js';
import { rootsOf, searchDocuments } from './search-document.js';

/** See `DirectoryStore.list`. */
export function listResources(directory: ProviderDirectory, query: ResourceQuery): ResourcePage<StoredResource> {
  const { page, include } = query;
  const selected = query.selections.map((selection) => ({
    selection,
    records: selectRecords(directory, directory.table(selection.type), selection.filter),
  }));
  const order = orderResources(directory, selected, query.order);
  const start = startOf(order, page);
  const items = presentPage(directory, order.records.slice(start, start + page.count), include);
  const last = items.length > 0 ? order.records[start + items.length - 1] : undefined;
  const hasNext = page.kind === 'cursor' && start + items.length < order.records.length;
  return {
    total: order.records.length,
    items,
    ...(hasNext && last && { next: order.positionOf(last) }),
  };
}

function selectRecords(
  directory: ProviderDirectory,
  table: ResourceTable,
  filter: Filter | undefined,
): readonly ResourceRecord[] {
  if (!filter) {
    return table.records;
  }
  const documentOf = searchDocuments(directory, rootsOf(filter));
  const candidates = lookUpCandidates(table, filter) ?? table.records;
  return candidates.filter((record) => matches(filter, documentOf(record)));
}

/** The only records that can satisfy the filter, when it demands a certain value of an indexed attribute. */
function lookUpCandidates(table: ResourceTable, filter: Filter): readonly ResourceRecord[] | undefined {
  for (const condition of filter.kind === 'and' ? filter.operands : [filter]) {
    if (condition.kind === 'compare' && condition.operator === 'eq' && typeof condition.value === 'string') {
      const [name, ...rest] = condition.attribute.path;
      const candidates = rest.length === 0 ? table.lookUp(name, condition.value) : undefined;
      if (candidates) {
        return candidates;
      }
    }
  }
  return undefined;
}

function startOf({ records, positionOf, compare }: ResourceOrder, page: PageRequest): number {
  if (page.kind === 'index') {
    return page.startIndex - 1;
  }
  const { after } = page;
  return after ? partitionPoint(records, (record) => compare(positionOf(record), after) <= 0) : 0;
}

/** As many of the records, at least one if there is any, as come with no more bytes, members and groups than a page may have. */
function presentPage(
  directory: ProviderDirectory,
  records: readonly ResourceRecord[],
  include: Inclusion,
): StoredResource[] {
  const items: StoredResource[] = [];
  let members = 0;
  let groups = 0;
  let bytes = 0;
  for (const record of records) {
    const item = presentRecord(directory, record, include);
    members += item.type === 'Group' ? (item.members?.length ?? 0) : 0;
    groups += item.type === 'User' ? (item.groups?.length ?? 0) : 0;
    bytes += attributesBytes(item.attributes);
    const isTooLarge = bytes > MAX_PAGE_BYTES || members > MAX_GROUP_MEMBERS || groups > MAX_GROUPS_PER_PAGE;
    if (items.length > 0 && isTooLarge) {
      break;
    }
    items.push(item);
  }
  return items;
}

/** Attributes are frozen, so that their size is computed once. */
const knownBytes = new WeakMap<JsonObject, number>();

function attributesBytes(attributes: JsonObject): number {
  const known = knownBytes.get(attributes);
  const bytes = known ?? Buffer.byteLength(JSON.stringify(attributes));
  if (known === undefined) {
    knownBytes.set(attributes, bytes);
  }
  return bytes;
}

/** The records of one selection of a query, in order of creation. */
export interface SelectedRecords {
  readonly selection: Selection;
  readonly records: readonly ResourceRecord[];
}

/** The records that a query selects, in its order; `positionOf` and `compare` say where each of them stands. */
export interface ResourceOrder {
  readonly records: readonly ResourceRecord[];
  readonly positionOf: (record: ResourceRecord) => CursorPosition;
  readonly compare: (a: CursorPosition, b: CursorPosition) => number;
}

export function orderResources(
  directory: ProviderDirectory,
  selected: readonly SelectedRecords[],
  order: ResourceQuery['order'],
): ResourceOrder {
  return order === 'created' ? byCreation(selected) : bySortValue(directory, selected, order);
}

function byCreation(selected: readonly SelectedRecords[]): ResourceOrder {
  const [first, ...others] = selected;
  const records = first?.records ?? [];
  return {
    records: others.length === 0 ? records : merge(selected),
    positionOf: ({ sequence }) => ({ sequence }),
    compare: bySequence,
  };
}

function bySortValue(
  directory: ProviderDirectory,
  selected: readonly SelectedRecords[],
  order: 'ascending' | 'descending',
): ResourceOrder {
  const positions = new Map(selected.flatMap((part) => positionsIn(directory, part)));
  const compare = (a: CursorPosition, b: CursorPosition): number =>
    compareSortValues(a.sortValue ?? null, b.sortValue ?? null, order) || bySequence(a, b);
  const records = [...positions].sort(([, a], [, b]) => compare(a, b)).map(([record]) => record);
  return { records, positionOf: (record) => positions.get(record) ?? { sequence: record.sequence }, compare };
}

function positionsIn(
  directory: ProviderDirectory,
  { selection: { sortBy }, records }: SelectedRecords,
): [ResourceRecord, CursorPosition][] {
  const documentOf = searchDocuments(directory, new Set(sortBy?.path.slice(0, 1)));
  return records.map((record) => [
    record,
    { sequence: record.sequence, sortValue: sortBy ? sortValue(documentOf(record), sortBy) : null },
  ]);
}

type SortValue = Exclude<CursorPosition['sortValue'], undefined>;

function compareSortValues(a: SortValue, b: SortValue, order: 'ascending' | 'descending'): number {
  const ascending = compareWithAbsent(a, b);
  return order === 'ascending' ? ascending : -ascending;
}

// RFC 7644 §3.4.2.3: resources without data "are ordered last if ascending and first if descending".
function compareWithAbsent(a: SortValue, b: SortValue): number {
  if (a === null || b === null) {
    return Number(a === null) - Number(b === null);
  }
  return compareValues(a, b);
}

/** Each part is in order already, which makes this sort a merge. */
function merge(selected: readonly SelectedRecords[]): ResourceRecord[] {
  return selected.flatMap(({ records }) => records).sort(bySequence);
}

function bySequence(a: CursorPosition, b: CursorPosition): number {
  return a.sequence - b.sequence;
}
