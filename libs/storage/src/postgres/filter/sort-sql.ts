import type { AttributeReference, CursorPosition, ProviderId, Selection } from '@palisade/domain';
import { sql } from 'kysely';
import { INDEXED_TEXT_LENGTH, columnOf } from './columns.js';
import type { Expression } from './condition.js';
import { isField } from './element-test.js';
import { firstGroupValue, firstMemberValue } from './memberships-sql.js';
import { accessors } from './json-path.js';

export type SortKind = 'text' | 'number' | 'boolean' | 'instant';

/** What resources sort by: an expression over `resources r`, null for no value. */
export interface SortKey {
  readonly kind: SortKind;
  readonly expression: Expression;
}

type SortValue = CursorPosition['sortValue'];

const COLUMN_TYPES: Readonly<Record<SortKind, Expression>> = {
  text: sql`text collate "C"`,
  number: sql`numeric`,
  boolean: sql`boolean`,
  instant: sql`timestamptz`,
};

/** RFC 7644 §3.4.2.3. Texts sort by their first 512 characters. Undefined when no resource of the type has a value. */
export function sortKey({ type, sortBy }: Selection, provider: ProviderId): SortKey | undefined {
  if (!sortBy) {
    return undefined;
  }
  const [root, name] = sortBy.path;
  if (root === 'members' || root === 'groups') {
    const belongs = type === (root === 'members' ? 'Group' : 'User');
    const first = root === 'members' ? firstMemberValue : firstGroupValue;
    return belongs && isField(name) ? { kind: 'text', expression: first(name) } : undefined;
  }
  return columnOf(sortBy) ?? searchSortKey(sortBy, provider);
}

export function noSortValue(kind: SortKind): Expression {
  return sql`null::${COLUMN_TYPES[kind]}`;
}

/** The parameter that stands for a cursor's sort value; what the kind cannot hold is turned into something that it can. */
export function sortParameter(kind: SortKind, value: NonNullable<SortValue>): Expression {
  switch (kind) {
    case 'text':
      return sql`${String(value)}::text`;
    case 'number':
      return sql`${Number(value)}::numeric`;
    case 'boolean':
      return sql`${value === true}::boolean`;
    case 'instant': {
      const instant = new Date(String(value));
      return sql`${Number.isNaN(instant.getTime()) ? new Date(0) : instant}::timestamptz`;
    }
    default:
      return kind satisfies never;
  }
}

/** "the value of the primary attribute, if any, or else the first value in the list, if any" */
function searchSortKey(attribute: AttributeReference, provider: ProviderId): SortKey {
  const parent = [provider, ...attribute.path.slice(0, -1)];
  const last = accessors(attribute.path.slice(-1));
  const kind = kindOf(attribute);
  const scalar = ` ? (@.type() == "${kind === 'text' ? 'string' : kind}")`;
  const first = queryFirst(`$${accessors(parent)}${last}${scalar}`);
  const primary = queryFirst(`$${accessors(parent)} ? (@."primary" == true)${last}${scalar}`);
  return { kind, expression: cast(kind, attribute.multiValued ? sql`coalesce(${primary}, ${first})` : first) };
}

function queryFirst(path: string): Expression {
  return sql`jsonb_path_query_first(r.search, ${path}::jsonpath)`;
}

/** dateTimes are texts in a search document, canonical ones, so that they sort as texts. */
function kindOf({ type }: AttributeReference): Exclude<SortKind, 'instant'> {
  switch (type) {
    case 'boolean':
      return 'boolean';
    case 'integer':
    case 'decimal':
      return 'number';
    case 'string':
    case 'dateTime':
    case 'binary':
    case 'reference':
    case 'complex':
      return 'text';
    default:
      return type satisfies never;
  }
}

function cast(kind: Exclude<SortKind, 'instant'>, value: Expression): Expression {
  switch (kind) {
    case 'text':
      return sql`left(${value} #>> '{}', ${INDEXED_TEXT_LENGTH}) collate "C"`;
    case 'number':
      return sql`(${value})::numeric`;
    case 'boolean':
      return sql`(${value})::boolean`;
    default:
      return kind satisfies never;
  }
}
