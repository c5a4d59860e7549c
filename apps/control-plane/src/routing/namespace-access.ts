import { Injectable } from '@nestjs/common';
import type { NamespaceId } from '@palisade/domain';
import { administers, type AdminPrincipal } from '@palisade/guards';
import { DeniedAttemptsRecorder } from '../refusals/denied-attempts.recorder.js';
import { NamespaceNotFoundError } from './namespace-not-found.error.js';

/** Keeps admins of some namespaces to those. */
@Injectable()
export class NamespaceAccess {
  constructor(private readonly denied: DeniedAttemptsRecorder) {}

  /** @throws {NamespaceNotFoundError} unless the admin administers it; the attempt is recorded */
  require(admin: AdminPrincipal, namespace: NamespaceId, action: string): void {
    if (!administers(admin, namespace)) {
      this.denied.record({ userId: admin.actor, action, resource: `namespace:${namespace}`, namespace });
      throw new NamespaceNotFoundError(namespace);
    }
  }
}
