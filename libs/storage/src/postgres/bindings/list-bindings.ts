import type {
  BindingKey,
  BindingQuery,
  BindingState,
  ListedBinding,
  NamespaceBinding,
  ProviderId,
} from '@palisade/domain';
import { type Selectable, sql } from 'kysely';
import type { Connection } from '../connection/database.js';
import type { BindingsTable } from '../connection/tables.js';
import { type Condition, conjunction } from '../filter/condition.js';

export type BindingRow = Selectable<BindingsTable>;

/** A binding beside the group that it names, as far as that exists. */
export interface ListedBindingRow extends BindingRow {
  readonly has_group: boolean;
  readonly display: string | null;
}

export function toBinding(row: BindingRow): NamespaceBinding {
  return {
    namespace: row.namespace,
    boundSubject: row.bound_subject,
    relation: row.relation,
    source: row.source,
    approvedBy: row.approved_by,
    createdAt: row.created_at,
  };
}

export function toListedBinding(row: ListedBindingRow): ListedBinding {
  return {
    ...toBinding(row),
    ...(row.is_suspended ? { state: 'suspended' } : stateOfGroup(row)),
  };
}

function stateOfGroup({ has_group, display }: ListedBindingRow): Pick<ListedBinding, 'state' | 'display'> {
  return { state: has_group ? 'active' : 'dangling', ...(display !== null && { display }) };
}

const IN_STATE: Readonly<Record<BindingState, Condition>> = {
  active: sql`g.id is not null and not b.is_suspended`,
  dangling: sql`g.id is null and not b.is_suspended`,
  suspended: sql`b.is_suspended`,
};

export function keyOf({ namespace, boundSubject, relation }: BindingKey): BindingKey {
  return { namespace, boundSubject, relation };
}

/** See `BindingStore.list`. */
export function listBindings(connection: Connection, query: BindingQuery): Promise<ListedBinding[]> {
  const { namespace, namespaces, provider, boundSubject, state, after, limit } = query;
  const conditions: Condition[] = [];
  if (namespace !== undefined) {
    conditions.push(sql`b.namespace = ${namespace}`);
  }
  if (namespaces !== undefined) {
    conditions.push(sql`b.namespace = any(${namespaces}::text[])`);
  }
  if (provider !== undefined) {
    conditions.push(sql`b.provider_id = ${provider}`);
  }
  if (boundSubject !== undefined) {
    conditions.push(sql`b.bound_subject = ${boundSubject}`);
  }
  if (state !== undefined) {
    conditions.push(IN_STATE[state]);
  }
  if (after !== undefined) {
    const { namespace, boundSubject, relation } = after;
    conditions.push(sql`(b.namespace, b.bound_subject, b.relation) > (${namespace}, ${boundSubject}, ${relation})`);
  }
  return selectBindings(connection, conditions, limit);
}

export async function findBinding(
  connection: Connection,
  provider: ProviderId,
  { namespace, boundSubject, relation }: BindingKey,
): Promise<ListedBinding | undefined> {
  const condition: Condition = sql`b.provider_id = ${provider} and b.bound_subject = ${boundSubject}
    and b.namespace = ${namespace} and b.relation = ${relation}`;
  const [binding] = await selectBindings(connection, [condition], 1);
  return binding;
}

async function selectBindings(
  connection: Connection,
  conditions: readonly Condition[],
  limit: number,
): Promise<ListedBinding[]> {
  const { rows } = await sql<ListedBindingRow>`
    select b.*, g.id is not null as has_group, g.label as display
    from bindings b left join resources g on g.provider_id = b.provider_id and g.id = b.bound_subject
    where ${conjunction(conditions)}
    order by b.namespace, b.bound_subject, b.relation
    limit ${limit}
  `.execute(connection);
  return rows.map(toListedBinding);
}
