import { Injectable } from '@nestjs/common';
import { Store, parseResourceId, type BindingKey, type NamespaceId } from '@palisade/domain';
import { ForbiddenError, administers, type AdminPrincipal } from '@palisade/guards';
import { DeniedAttempts } from '@palisade/platform';
import { NamespaceNotFoundError } from './bindings.errors.js';

/** Keeps admins of some namespaces within them. */
@Injectable()
export class NamespaceAccess {
  constructor(
    private readonly denied: DeniedAttempts,
    private readonly store: Store,
  ) {}

  /**
   * @param action what the admin is about to do, for the log
   * @throws {NamespaceNotFoundError} unless the admin administers the namespace
   */
  require(admin: AdminPrincipal, namespace: NamespaceId, action: string): void {
    if (!administers(admin, namespace)) {
      this.denied.record({ userId: admin.actor, action, resource: `namespace:${namespace}`, namespace });
      throw new NamespaceNotFoundError(namespace);
    }
  }

  /**
   * Whether the group exists makes no difference here.
   *
   * @throws {ForbiddenError} unless the admin may bind groups of the provider
   */
  async requireProvider(admin: AdminPrincipal, { boundSubject, namespace }: BindingKey, action: string): Promise<void> {
    if (!(await this.mayBind(admin, parseResourceId(boundSubject)?.providerId ?? ''))) {
      this.denied.record({ userId: admin.actor, action, resource: `namespace:${namespace}`, namespace });
      throw new ForbiddenError('you may not bind groups of this provider: your credential does not list it');
    }
  }

  private async mayBind(admin: AdminPrincipal, provider: string): Promise<boolean> {
    if (admin.namespaces === '*') {
      return true;
    }
    if (admin.providers !== undefined) {
      return admin.providers.includes('*') || admin.providers.includes(provider);
    }
    const [only, ...others] = await this.store.providers.list({ limit: 2 });
    return only?.id === provider && others.length === 0;
  }
}
