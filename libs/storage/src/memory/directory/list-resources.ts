import {
  MAX_GROUP_MEMBERS,
  type Filter,
  type GroupId,
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
  const records = limitMembers(directory, order.records.slice(start, start + page.count), include);
  const last = records.at(-1);
  const hasNext = page.kind === 'cursor' && start + records.length < order.records.length;
  return {
    total: order.records.length,
    items: records.map((record) => presentRecord(directory, record, include)),
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

/** As many of the records, at least one, as have no more than `MAX_GROUP_MEMBERS` members together. */
function limitMembers(
  { memberships }: ProviderDirectory,
  records: readonly ResourceRecord[],
  include: Inclusion,
): readonly ResourceRecord[] {
  if (!include.members) {
    return records;
  }
  let members = 0;
  const tooMany = records.findIndex(({ id }) => {
    members += memberships.membersOf(id as GroupId).size;
    return members > MAX_GROUP_MEMBERS;
  });
  return tooMany === -1 ? records : records.slice(0, Math.max(1, tooMany));
}
