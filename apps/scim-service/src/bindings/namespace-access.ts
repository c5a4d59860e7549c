import { Injectable } from '@nestjs/common';
import type { NamespaceId } from '@palisade/domain';
import { administers, type AdminPrincipal } from '@palisade/guards';
import { DeniedAttempts } from '@palisade/platform';
import { NamespaceNotFoundError } from './bindings.errors.js';

/** Keeps admins of some namespaces within them. */
@Injectable()
export class NamespaceAccess {
  constructor(private readonly denied: DeniedAttempts) {}

  /**
   * @param action what the admin is about to do, for the audit trail
   * @throws {NamespaceNotFoundError} unless the admin administers the namespace
   */
  require(admin: AdminPrincipal, namespace: NamespaceId, action: string): void {
    if (!administers(admin, namespace)) {
      this.denied.record({ userId: admin.actor, action, resource: `namespace:${namespace}`, namespace });
      throw new NamespaceNotFoundError(namespace);
    }
  }
}
