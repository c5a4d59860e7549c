import type {
  CursorPosition,
  Filter,
  Inclusion,
  ResourceQuery,
  ResourceType,
  Selection,
  Store,
  ProviderId,
} from '@palisade/domain';
import { bindFilter, bindSortAttribute, parseFilter } from '@palisade/scim';
import { schemaOf } from './drafts.js';

/** A filter as a client writes it, resolved as the protocol engine does it. */
export function filterOf(type: ResourceType, text: string): Filter {
  return bindFilter(parseFilter(text), schemaOf(type), { unknownAttributes: 'absent' });
}

/** A filter on members, as `members[…]` in a PATCH path has it: references start at the member. */
export function memberFilterOf(text: string): Filter {
  const filter = filterOf('Group', `members[${text}]`);
  if (filter.kind !== 'element') {
    throw new Error('expected a filter on elements');
  }
  return filter.filter;
}

export interface QueryOverrides {
  readonly type?: ResourceType;
  readonly filter?: string;
  readonly sortBy?: string;
  readonly order?: ResourceQuery['order'];
  readonly page?: ResourceQuery['page'];
  readonly include?: Inclusion;
}

/** A query for one resource type: everything, in order of creation, up to 1000, unless told otherwise. */
export function queryFor({ type = 'User', filter, sortBy, order, page, include = {} }: QueryOverrides): ResourceQuery {
  const selection: Selection = {
    type,
    ...(filter !== undefined && { filter: filterOf(type, filter) }),
    ...(sortBy !== undefined && { sortBy: bindSortAttribute(sortBy, schemaOf(type)) }),
  };
  return {
    selections: [selection],
    order: order ?? (sortBy === undefined ? 'created' : 'ascending'),
    page: page ?? { kind: 'index', startIndex: 1, count: 1000 },
    include,
  };
}

/** Follows the cursor from the first page to the last; the ids of each page. */
export async function walkPages(
  store: Store,
  provider: ProviderId,
  query: ResourceQuery,
  count: number,
  betweenPages: (pageNumber: number) => Promise<void> = async () => {},
): Promise<string[][]> {
  const pages: string[][] = [];
  let after: CursorPosition | undefined;
  do {
    const page = await store.directory.list(provider, { ...query, page: { kind: 'cursor', after, count } });
    pages.push(page.items.map(({ id }) => id));
    after = page.next;
    await betweenPages(pages.length);
  } while (after);
  return pages;
}
