import { Injectable } from '@nestjs/common';
import {
  TenantNotFoundError,
  parseNamespaceId,
  patternShape,
  type NamespacePattern,
  type TenantId,
} from '@palisade/domain';
import { administers, type AdminPrincipal } from '@palisade/guards';
import { DeniedAttemptsRecorder } from '../refusals/denied-attempts.recorder.js';
import type { TenantView } from './tenant-view.js';

/** Keeps admins of some namespaces to tenants of which they administer every namespace. */
@Injectable()
export class TenantAccess {
  constructor(private readonly denied: DeniedAttemptsRecorder) {}

  /** A glob may match namespaces that the admin does not administer, so it takes an admin of all. */
  canRead(admin: AdminPrincipal, { namespacePatterns }: Pick<TenantView, 'namespacePatterns'>): boolean {
    return admin.namespaces === '*' || namespacePatterns.every((pattern) => isAdministered(admin, pattern));
  }

  /** @throws {TenantNotFoundError} as if there were no such tenant */
  refuse(admin: AdminPrincipal, tenantId: TenantId): never {
    this.denied.record({ userId: admin.actor, action: 'tenant.read', resource: `tenant:${tenantId}`, tenantId });
    throw new TenantNotFoundError(tenantId);
  }
}

function isAdministered(admin: AdminPrincipal, pattern: NamespacePattern): boolean {
  return patternShape(pattern) === 'exact' && administers(admin, parseNamespaceId(pattern));
}
