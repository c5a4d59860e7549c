import type {
  AttributeType,
  JsonObject,
  PageRequest,
  ResourceQuery,
  Selection,
  StoredResource,
} from '@palisade/domain';
import { bindFilter } from '../filter/bind-filter.js';
import { bindSortAttribute } from '../filter/bind-sort-attribute.js';
import type { FilterExpression } from '../filter/filter-expression.js';
import { parseFilter } from '../filter/parse-filter.js';
import { badRequest } from '../scim.errors.js';
import { Projection } from '../resource/projection.js';
import type { ResourceSchema } from '../schema/resource-schema.js';
import { LIST_RESPONSE_URN } from '../urns.js';
import { formatCursor, parseCursor, queryFingerprint } from './cursor.js';
import type { ListParameters } from './list-parameters.js';
import type { ResourceContext, ResourceOperations } from './resource-operations.js';
import type { ScimRequest } from './scim-request.js';
import { SCIM_LIMITS } from './scim-limits.js';

/**
 * A query over one resource type or several (RFC 7644 §3.4.2, §3.4.3), with index pagination (§3.4.2.4) or cursor
 * pagination (RFC 9865).
 */
export async function search(
  context: ResourceContext,
  targets: readonly [ResourceOperations, ...ResourceOperations[]],
  parameters: ListParameters,
  { streamMembers = false }: Pick<ScimRequest, 'streamMembers'> = {},
): Promise<JsonObject> {
  const fingerprint = queryFingerprint([
    context.provider,
    targets.map((target) => target.type),
    parameters.filter,
    parameters.sortBy,
    parameters.sortOrder,
  ]);
  const projections = new Map(targets.map((target) => [target.type, Projection.parse(parameters, target.schema)]));
  const selected = selections(context, targets, parameters);
  const sortTypes = new Set(selected.flatMap(({ sortBy }) => sortBy?.type ?? []));
  const page = pageRequest(parameters, fingerprint, sortTypes);
  const query: ResourceQuery = {
    selections: selected,
    order: parameters.sortBy === undefined ? 'created' : (parameters.sortOrder ?? 'ascending'),
    page,
    include: {
      groups: projections.get('User')?.include.groups ?? false,
      members: (projections.get('Group')?.include.members ?? false) && (streamMembers ? 'few' : true),
    },
  };
  const { total, items, next } = await context.inTurn(() => context.directory.list(context.provider, query));
  const present = (resource: StoredResource): JsonObject[] => {
    const target = targets.find(({ type }) => type === resource.type);
    const projection = projections.get(resource.type);
    return target && projection ? [target.present(resource, projection)] : [];
  };
  return {
    schemas: [LIST_RESPONSE_URN],
    totalResults: total,
    itemsPerPage: items.length,
    ...(page.kind === 'index' ? { startIndex: page.startIndex } : {}),
    ...(next === undefined ? {} : { nextCursor: formatCursor(next, fingerprint) }),
    // RFC 7644 §3.4.2, table 3: Resources is "REQUIRED if 'totalResults' is non-zero"; strict clients want it always.
    Resources: items.flatMap(present),
  };
}

function pageRequest(
  parameters: ListParameters,
  fingerprint: string,
  sortTypes: ReadonlySet<AttributeType>,
): PageRequest {
  const { startIndex, cursor, count: wanted = SCIM_LIMITS.defaultPageSize } = parameters;
  const count = Math.min(Math.max(wanted, 0), SCIM_LIMITS.maxPageSize);
  if (cursor === undefined) {
    return { kind: 'index', startIndex: Math.max(startIndex ?? 1, 1), count };
  }
  if (startIndex !== undefined) {
    throw badRequest('invalidValue', 'startIndex: expected not to be given together with cursor');
  }
  return { kind: 'cursor', count, ...(cursor === '' ? {} : { after: parseCursor(cursor, fingerprint, sortTypes) }) };
}

function selections(
  context: ResourceContext,
  targets: readonly [ResourceOperations, ...ResourceOperations[]],
  { filter, sortBy }: ListParameters,
): [Selection, ...Selection[]] {
  const expression =
    filter === undefined ? undefined : parseFilter(filter, { unquotedLiterals: context.settings.dialect === 'entra' });
  const select = ({ type, schema }: ResourceOperations): Selection => ({
    type,
    filter: expression && bind(expression, schema, targets),
    sortBy: sortBy === undefined ? undefined : bindSort(sortBy, schema, targets),
  });
  const [first, ...rest] = targets;
  return [select(first), ...rest.map(select)];
}

// RFC 7644 §3.4.2.1: over several resource types, an attribute that one of them lacks "SHALL be treated as if the
// attribute has no value" there. One that none of them has is still rejected.
function bind(expression: FilterExpression, schema: ResourceSchema, targets: readonly ResourceOperations[]) {
  return bindFilter(expression, schema, {
    unknownAttributes: 'reject',
    isAbsentAttribute: (path) => targets.some((target) => target.schema.resolve(path) !== undefined),
  });
}

function bindSort(path: string, schema: ResourceSchema, targets: readonly ResourceOperations[]) {
  const isKnownElsewhere = targets.some((target) => target.schema.resolve(path) !== undefined);
  return isKnownElsewhere && schema.resolve(path) === undefined ? undefined : bindSortAttribute(path, schema);
}
