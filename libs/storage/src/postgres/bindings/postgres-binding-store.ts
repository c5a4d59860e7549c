import {
  BindingStore,
  UnknownSubjectError,
  parseResourceId,
  type AddBindingOptions,
  type AddBindingResult,
  type BindingKey,
  type BindingQuery,
  type ChangeContext,
  type Grant,
  type GroupId,
  type ListedBinding,
  type NamespaceBinding,
  type NamespaceId,
  type NamespaceUser,
  type NamespaceUserQuery,
  type ProviderId,
} from '@palisade/domain';
import type { Database } from '../connection/database.js';
import { addBinding, removeBinding } from './change-bindings.js';
import { grantsOf, namespacesAbove, usersOf } from './access.js';
import { listBindings } from './list-bindings.js';

export class PostgresBindingStore extends BindingStore {
  constructor(private readonly database: Database) {
    super();
  }

  override async add(
    binding: Omit<NamespaceBinding, 'createdAt'>,
    change: ChangeContext,
    options: AddBindingOptions = { pending: false },
  ): Promise<AddBindingResult> {
    const subject = parseResourceId(binding.boundSubject);
    if (subject?.type !== 'Group') {
      throw new UnknownSubjectError(binding.boundSubject);
    }
    return this.database.transaction((transaction) =>
      addBinding(transaction, subject.providerId, binding, change, options),
    );
  }

  override async remove(key: BindingKey, change: ChangeContext): Promise<boolean> {
    const subject = parseResourceId(key.boundSubject);
    return subject
      ? this.database.transaction((transaction) => removeBinding(transaction, subject.providerId, key, change))
      : false;
  }

  override list(query: BindingQuery): Promise<ListedBinding[]> {
    return this.database.run((connection) => listBindings(connection, query));
  }

  override grantsOf(provider: ProviderId, reference: string, namespace?: NamespaceId): Promise<Grant[]> {
    return this.database.run((connection) =>
      grantsOf(connection, { provider, reference, namespace, isSuspended: false }),
    );
  }

  override suspendedGrantsOf(provider: ProviderId, reference: string, namespace: NamespaceId): Promise<Grant[]> {
    return this.database.run((connection) =>
      grantsOf(connection, { provider, reference, namespace, isSuspended: true }),
    );
  }

  override namespacesAbove(provider: ProviderId, groups: readonly GroupId[], limit: number): Promise<NamespaceId[]> {
    return this.database.run((connection) => namespacesAbove(connection, provider, groups, limit));
  }

  override usersOf(query: NamespaceUserQuery): Promise<NamespaceUser[]> {
    return this.database.run((connection) => usersOf(connection, query));
  }
}
