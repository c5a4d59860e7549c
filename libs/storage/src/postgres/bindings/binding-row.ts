import type { BindingKey, ListedBinding, NamespaceBinding } from '@palisade/domain';
import type { Selectable } from 'kysely';
import type { BindingsTable } from '../schema/tables.js';

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
    state: row.has_group ? 'active' : 'dangling',
    ...(row.display !== null && { display: row.display }),
  };
}

export function keyOf({ namespace, boundSubject, relation }: BindingKey): BindingKey {
  return { namespace, boundSubject, relation };
}
