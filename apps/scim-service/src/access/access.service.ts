import { Injectable } from '@nestjs/common';
import {
  Store,
  answerAccess,
  type AccessAnswer,
  type Grant,
  type NamespaceId,
  type NamespaceUser,
  type NamespaceUserQuery,
  type ProviderId,
  type Relation,
} from '@palisade/domain';
import { administers, type AdminPrincipal } from '@palisade/guards';
import { NamespaceAccess } from '../bindings/namespace-access.js';

/** A user by their provider and their external id or full identifier. */
export interface UserReference {
  readonly provider: ProviderId;
  readonly reference: string;
}

export interface AccessQuestion {
  readonly user: UserReference;
  readonly namespace: NamespaceId;
  readonly relation: Relation;
}

/** Who may do what: answered from memberships and bindings as they are now. Admins of some namespaces learn of those only. */
@Injectable()
export class AccessService {
  constructor(
    private readonly store: Store,
    private readonly access: NamespaceAccess,
  ) {}

  /**
   * Whether the user has the relation, and why, or why not. Admins of some namespaces do not learn who exists.
   *
   * @throws {NamespaceNotFoundError}
   */
  async check(admin: AdminPrincipal, { user, namespace, relation }: AccessQuestion): Promise<AccessAnswer> {
    this.access.require(admin, namespace, 'access.check');
    return answerAccess(this.store, { ...user, namespace, relation, knowsUsers: admin.namespaces === '*' });
  }

  /** Everything that the user may do. */
  async grantsOf(admin: AdminPrincipal, { provider, reference }: UserReference): Promise<Grant[]> {
    const grants = await this.store.bindings.grantsOf(provider, reference);
    return grants.filter(({ binding }) => administers(admin, binding.namespace));
  }

  /**
   * Those who have the relation, one more than `limit` if there are.
   *
   * @throws {NamespaceNotFoundError}
   */
  async usersOf(admin: AdminPrincipal, query: NamespaceUserQuery): Promise<NamespaceUser[]> {
    this.access.require(admin, query.namespace, 'access.users');
    return this.store.bindings.usersOf({ ...query, limit: query.limit + 1 });
  }
}
