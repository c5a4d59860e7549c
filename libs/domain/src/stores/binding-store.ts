import type { ChangeContext } from '../audit/audit-event.js';
import type {
  BindingKey,
  BindingQuery,
  Grant,
  ListedBinding,
  NamespaceBinding,
  NamespaceUser,
  Relation,
} from '../bindings/binding.js';
import type { NamespaceId, ProviderId, UserId } from '../identifiers.js';

export interface AddBindingOptions {
  /** Bind a group that does not exist yet. */
  readonly pending: boolean;
}

export interface AddBindingResult {
  /** False when the identical binding existed already. */
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
 * removes a binding. Inactive users and dangling bindings give no access; members of nested groups count.
 *
 * Every method throws {@link StoreUnavailableError} while the store cannot be reached.
 */
export abstract class BindingStore {
  /**
   * Adding an identical binding (same key and source) again changes nothing; `approvedBy` and `createdAt` of the first stand.
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

  /** Active users, of any provider, who have the relation on the namespace. */
  abstract usersOf(query: NamespaceUserQuery): Promise<NamespaceUser[]>;
}
