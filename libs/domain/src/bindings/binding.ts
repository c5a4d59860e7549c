import type { GroupId, NamespaceId, ProviderId, UserId } from '../identifiers.js';

/** Each relation includes the ones before it. */
export const RELATIONS = ['read', 'write', 'admin'] as const;
export type Relation = (typeof RELATIONS)[number];

export const BINDING_SOURCES = ['manual', 'import'] as const;
export type BindingSource = (typeof BINDING_SOURCES)[number];

/** What a binding is removed by. */
export interface BindingKey {
  readonly namespace: NamespaceId;
  /** The group that is bound; its identifier names its provider. */
  readonly boundSubject: GroupId;
  readonly relation: Relation;
}

/** A grant of a relation on a namespace to the members of one group. Only a namespace admin makes one, provisioning never does. */
export interface NamespaceBinding extends BindingKey {
  readonly source: BindingSource;
  /** The authenticated identity that approved it. */
  readonly approvedBy: string;
  readonly createdAt: Date;
}

/** `dangling`: the group does not exist (yet, or any more); the binding grants nothing until it does. */
export type BindingState = 'active' | 'dangling';

export interface ListedBinding extends NamespaceBinding {
  readonly state: BindingState;
  /** Display name of the bound group, when it exists. */
  readonly display?: string;
}

export interface BindingQuery {
  readonly namespace?: NamespaceId;
  /** Restricts to these namespaces (those that the caller administers). */
  readonly namespaces?: readonly NamespaceId[];
  readonly provider?: ProviderId;
  readonly boundSubject?: GroupId;
  /** Bindings after this one, in order of (namespace, boundSubject, relation). */
  readonly after?: BindingKey;
  readonly limit: number;
}

/** Why a user has a relation: the chain of groups from the one they are a direct member of up to the bound one, and the binding. */
export interface Grant {
  readonly groups: readonly [GroupId, ...GroupId[]];
  readonly binding: NamespaceBinding;
}

/** A user who has a relation on a namespace, with the strongest one. */
export interface NamespaceUser {
  readonly id: UserId;
  readonly userName: string;
  readonly relation: Relation;
}

/** Whether holding `held` answers a demand for `wanted`. */
export function includesRelation(held: Relation, wanted: Relation): boolean {
  return RELATIONS.indexOf(held) >= RELATIONS.indexOf(wanted);
}
