import {
  MAX_GROUPS_PER_PAGE,
  MAX_GROUP_MEMBERS,
  type Filter,
  type Inclusion,
  type PageRequest,
  type ResourcePage,
  type ResourceQuery,
  type StoredResource,
} from '@palisade/domain';
import { matches } from '@palisade/scim';
import { partitionPoint } from './partition-point.js';
import { presentRecord } from './present-record.js';
import type { ProviderDirectory } from './provider-directory.js';
import { orderResources, type ResourceOrder } from './resource-order.js';
import type { ResourceRecord } from './resource-record.js';
import type { ResourceTable } from './resource-table.js';
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

/** As many of the records, at least one if there is any, as come with no more members and groups than a page may have. */
function presentPage(
  directory: ProviderDirectory,
  records: readonly ResourceRecord[],
  include: Inclusion,
): StoredResource[] {
  const items: StoredResource[] = [];
  let members = 0;
  let groups = 0;
  for (const record of records) {
    const item = presentRecord(directory, record, include);
    members += item.type === 'Group' ? (item.members?.length ?? 0) : 0;
    groups += item.type === 'User' ? (item.groups?.length ?? 0) : 0;
    if (items.length > 0 && (members > MAX_GROUP_MEMBERS || groups > MAX_GROUPS_PER_PAGE)) {
      break;
    }
    items.push(item);
  }
  return items;
}
