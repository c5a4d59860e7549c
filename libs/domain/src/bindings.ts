import type { ChangeContext } from './log/log-record.js';
import type { GroupId, NamespaceId, ProviderId, UserId } from './identifiers.js';

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

/**
 * `dangling`: the group does not exist (yet, or any more); the binding grants nothing until it does. `suspended`: the group's
 * provider was deleted; the binding grants nothing until an admin adds it again, whatever another provider of that name has.
 */
export const BINDING_STATES = ['active', 'dangling', 'suspended'] as const;
export type BindingState = (typeof BINDING_STATES)[number];

export interface ListedBinding extends NamespaceBinding {
  readonly state: BindingState;
  /** Display name of the bound group, when it exists; never of a suspended binding, whose group is gone. */
  readonly display?: string;
}

export interface BindingQuery {
  readonly namespace?: NamespaceId;
  /** Restricts to these namespaces (those that the caller administers). */
  readonly namespaces?: readonly NamespaceId[];
  readonly provider?: ProviderId;
  readonly boundSubject?: GroupId;
  readonly state?: BindingState;
  /** Bindings after this one, in order of (namespace, boundSubject, relation). */
  readonly after?: BindingKey;
  readonly limit: number;
}

/** Why a user has a relation: the chain of groups from the one they are a direct member of up to the bound one, and the binding. */
export interface Grant {
  readonly groups: readonly [GroupId, ...GroupId[]];
  readonly binding: NamespaceBinding;
}

/** The groups of a {@link Grant}. @param below for each group that the user is in, the one through which they are, if any */
export function chainUpTo(bound: GroupId, below: ReadonlyMap<GroupId, GroupId | undefined>): Grant['groups'] {
  const chain: [GroupId, ...GroupId[]] = [bound];
  for (let group = below.get(bound); group !== undefined; group = below.get(group)) {
    chain.unshift(group);
  }
  return chain;
}

/** A user who has a relation on a namespace, with the strongest one. */
export interface NamespaceUser {
  readonly id: UserId;
  readonly userName: string;
  readonly relation: Relation;
}

/** Whether someone who holds `held` has `wanted` too. */
export function includesRelation(held: Relation, wanted: Relation): boolean {
  return RELATIONS.indexOf(held) >= RELATIONS.indexOf(wanted);
}

export interface AddBindingOptions {
  /** Bind a group that does not exist yet. */
  readonly pending: boolean;
}

export interface AddBindingResult {
  /** False when the identical binding existed already; a suspended one that is added again counts as new. */
  readonly added: boolean;
  readonly binding: ListedBinding;
}

export interface NamespaceUserQuery {
  readonly namespace: NamespaceId;
  /** Users with at least this relation. */
  readonly relation: Relation;
  /** Users after this one, in order of id (by code point). */
  readonly after?: UserId;
  readonly limit: number;
}

/**
 * Namespace bindings, and the questions about access that they answer. Nothing in the directory's operations adds or
 * removes a binding. Inactive users, dangling and suspended bindings give no access; members of nested groups count.
 *
 * Every method throws {@link StoreUnavailableError} while the store cannot be reached.
 */
export abstract class BindingStore {
  /**
   * Adding an identical binding (same key and source) again changes nothing; `approvedBy` and `createdAt` of the first stand.
   * A suspended binding with this key is replaced: that is how an admin confirms it.
   *
   * @throws {UnknownSubjectError} when the group does not exist and `pending` is false
   * @throws {BindingConflictError} when the key is bound from another source
   */
  abstract add(
    binding: Omit<NamespaceBinding, 'createdAt'>,
    change: ChangeContext,
    options?: AddBindingOptions,
  ): Promise<AddBindingResult>;

  /** False when there was no such binding. */
  abstract remove(key: BindingKey, change: ChangeContext): Promise<boolean>;

  /** In order of (namespace, boundSubject, relation), by code point. */
  abstract list(query: BindingQuery): Promise<ListedBinding[]>;

  /**
   * Every grant of an active user, with the shortest chain of groups for each binding, in order of (namespace,
   * boundSubject, relation). Empty for an inactive or unknown user.
   *
   * @param reference full identifier or external id of the user
   */
  abstract grantsOf(provider: ProviderId, reference: string, namespace?: NamespaceId): Promise<Grant[]>;

  /** What {@link grantsOf} would give if no binding were suspended, and does not. */
  abstract suspendedGrantsOf(provider: ProviderId, reference: string, namespace: NamespaceId): Promise<Grant[]>;

  /**
   * Namespaces where a change of these groups' members can change what somebody may do: those bound to one of the groups, or
   * to one that contains it, however indirectly. In order of name, at most `limit`.
   */
  abstract namespacesAbove(provider: ProviderId, groups: readonly GroupId[], limit: number): Promise<NamespaceId[]>;

  /** Active users, of any provider, who have the relation on the namespace. */
  abstract usersOf(query: NamespaceUserQuery): Promise<NamespaceUser[]>;
}
