import { Injectable } from '@nestjs/common';
import { mapParallel } from '@palisade/async';
import {
  Store,
  type ChangeContext,
  type InactiveMembership,
  type NamespaceId,
  type ProviderId,
  type StoredUser,
} from '@palisade/domain';
import { ProviderCache } from '../authentication/provider-cache.js';

/** So many namespaces are listed for one membership. */
export const MAX_NAMESPACES = 100;

/** So many groups are looked up at a time. */
const LOOKUPS_AT_A_TIME = 4;

/** A membership of an inactive user, and where it would give access again if the user were reactivated. */
export interface AffectedMembership extends InactiveMembership {
  readonly namespaces: readonly NamespaceId[];
}

/** Deprovisioning in two steps: a user is marked inactive, then reconciliation finds the memberships that are left. */
@Injectable()
export class DeprovisioningService {
  constructor(
    private readonly store: Store,
    private readonly providers: ProviderCache,
  ) {}

  /** Marks a user inactive, who may be so already. @throws {ProviderNotFoundError} {@link ResourceNotFoundError} */
  async deactivate(provider: ProviderId, reference: string, change: ChangeContext): Promise<StoredUser> {
    await this.providers.get(provider);
    return this.store.directory.deactivateUser(provider, reference, change);
  }

  /**
   * The memberships of inactive users; with `apply` they are removed.
   *
   * @throws {ProviderNotFoundError}
   */
  async reconcile(
    provider: ProviderId,
    options: { readonly apply: boolean },
    change: ChangeContext,
  ): Promise<AffectedMembership[]> {
    await this.providers.get(provider);
    const affected = await this.store.directory.reconcileDeprovisioned(provider, options, change);
    const groups = [...new Set(affected.map(({ groupId }) => groupId))];
    const namespaces = await mapParallel(groups, LOOKUPS_AT_A_TIME, (group) =>
      this.store.bindings.namespacesAbove(provider, [group], MAX_NAMESPACES),
    );
    const namespacesOf = new Map(groups.map((group, index) => [group, namespaces[index] ?? []]));
    return affected.map((membership) => ({ ...membership, namespaces: namespacesOf.get(membership.groupId) ?? [] }));
  }
}
