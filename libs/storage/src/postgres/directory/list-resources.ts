import type {
  AttributeReference,
  CursorPosition,
  Filter,
  Inclusion,
  PageRequest,
  ProviderId,
  ResourcePage,
  ResourceQuery,
  ResourceType,
  StoredResource,
} from '@palisade/domain';
import { compileSql } from '../connection/kysely-connection.js';
import type { Connection } from '../connection/database.js';
import { prepared } from '../connection/prepared-statements.js';
import { withGroups } from './page-groups.js';
import { pageStatement, totalStatement, type PageRow, type ResourceOnPage } from './page-sql.js';
import { toResource } from './resource-row.js';

/** See `DirectoryStore.list`. */
export async function listResources(
  connection: Connection,
  provider: ProviderId,
  query: ResourceQuery,
): Promise<ResourcePage<StoredResource>> {
  const fetchedRows = query.page.count > 0 ? await fetchPage(connection, provider, query) : [];
  const rows = await withGroups(connection, provider, fetchedRows.filter(hasResource));
  const fetched = rows[0]?.fetched ?? 0;
  const last = rows.at(-1);
  const hasNext = query.page.kind === 'cursor' && fetched > rows.length;
  return {
    total:
      fetchedRows[0]?.total ?? totalShownBy(query.page, fetched) ?? (await countMatches(connection, provider, query)),
    items: rows.map(toResource),
    ...(hasNext && last && { next: positionOf(last, query) }),
  };
}

async function fetchPage(connection: Connection, provider: ProviderId, query: ResourceQuery): Promise<PageRow[]> {
  const { rows } = await connection.executeQuery(compileSql(pageStatement(provider, query)));
  return rows;
}

async function countMatches(connection: Connection, provider: ProviderId, query: ResourceQuery): Promise<number> {
  const { rows } = await connection.executeQuery(compileSql(totalStatement(provider, query)));
  return rows[0]?.total ?? 0;
}

/** The total, when the page reaches the end of the matches. */
function totalShownBy(page: PageRequest, fetched: number): number | undefined {
  if (page.count === 0 || fetched > page.count) {
    return undefined;
  }
  if (page.kind === 'cursor') {
    return page.after ? undefined : fetched;
  }
  return fetched > 0 || page.startIndex <= 1 ? page.startIndex - 1 + fetched : undefined;
}

function hasResource(row: PageRow): row is ResourceOnPage {
  return row.id !== null;
}

function positionOf({ sequence, sort_value }: ResourceOnPage, { order }: ResourceQuery): CursorPosition {
  if (order === 'created') {
    return { sequence };
  }
  return { sequence, sortValue: sort_value instanceof Date ? sort_value.toISOString() : sort_value };
}

const HOT_INCLUSIONS: readonly Inclusion[] = [
  {},
  { groups: true },
  { members: true },
  { members: 'few' },
  { groups: true, members: true },
  { groups: true, members: 'few' },
];

/**
 * The lookups with which every provisioning client begins its work on an object, and pages of all resources of a type,
 * run as prepared statements. Their texts are those that any query of the same shape is compiled to.
 */
function prepareHotQueries(): void {
  const sample = 'sample' as ProviderId;
  const firstPage: PageRequest = { kind: 'index', startIndex: 1, count: 1 };
  const cursors: readonly PageRequest[] = [
    { kind: 'cursor', count: 1 },
    { kind: 'cursor', count: 1, after: { sequence: 0 } },
  ];
  for (const type of ['User', 'Group'] satisfies ResourceType[]) {
    for (const include of HOT_INCLUSIONS) {
      const prepareQuery = (page: PageRequest, filter?: Filter): void => {
        const query: ResourceQuery = { selections: [{ type, filter }], order: 'created', page, include };
        prepared(compileSql(pageStatement(sample, query)).sql);
      };
      for (const name of ['userName', 'externalId', 'displayName']) {
        const attribute: AttributeReference = { path: [name], type: 'string', multiValued: false };
        prepareQuery(firstPage, { kind: 'compare', attribute, operator: 'eq', value: 'sample' });
      }
      [firstPage, ...cursors].forEach((page) => prepareQuery(page));
    }
  }
}

prepareHotQueries();
