import { Injectable } from '@nestjs/common';
import {
  type AddBindingResult,
  type BindingKey,
  type BindingQuery,
  type BindingSource,
  type ChangeContext,
  type ListedBinding,
  Store,
} from '@palisade/domain';
import type { AdminPrincipal } from '@palisade/guards';
import { FairTurns } from '@palisade/platform';
import { BindingNotFoundError } from './bindings.errors.js';
import { NamespaceAccess } from './namespace-access.js';

export interface BindingRequest {
  readonly key: BindingKey;
  readonly source: BindingSource;
  readonly pending: boolean;
}

export type BindingSearch = Omit<BindingQuery, 'namespaces'>;

/** Namespace bindings: the only thing here that grants access to a namespace. */
@Injectable()
export class BindingsService {
  constructor(
    private readonly store: Store,
    private readonly access: NamespaceAccess,
    private readonly turns: FairTurns,
  ) {}

  /**
   * Binds a group, approved by the caller. Doing it again changes nothing, unless the binding was suspended meanwhile.
   *
   * @throws {NamespaceNotFoundError} {@link ForbiddenError} {@link UnknownSubjectError} {@link BindingConflictError}
   */
  async add(admin: AdminPrincipal, request: BindingRequest, change: ChangeContext): Promise<AddBindingResult> {
    const { key, source, pending } = request;
    this.access.require(admin, key.namespace, 'binding.add');
    await this.access.requireProvider(admin, key, 'binding.add');
    return this.store.bindings.add({ ...key, source, approvedBy: admin.actor }, change, { pending });
  }

  /** @throws {NamespaceNotFoundError} {@link BindingNotFoundError} */
  async remove(admin: AdminPrincipal, key: BindingKey, change: ChangeContext): Promise<void> {
    this.access.require(admin, key.namespace, 'binding.remove');
    if (!(await this.store.bindings.remove(key, change))) {
      throw new BindingNotFoundError(key);
    }
  }

  /**
   * Bindings of the caller's namespaces, one more than `limit` if there are.
   *
   * @throws {NamespaceNotFoundError}
   */
  async list(admin: AdminPrincipal, search: BindingSearch): Promise<ListedBinding[]> {
    if (search.namespace !== undefined) {
      this.access.require(admin, search.namespace, 'binding.list');
    }
    const namespaces = admin.namespaces === '*' ? undefined : admin.namespaces;
    return this.turns.runForCaller(() => this.store.bindings.list({ ...search, namespaces, limit: search.limit + 1 }));
  }
}
