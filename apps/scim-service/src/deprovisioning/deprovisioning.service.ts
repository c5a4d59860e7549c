import { Injectable } from '@nestjs/common';
import { Store, type ChangeContext, type ProviderId, type StoredUser } from '@palisade/domain';
import { ProviderCache } from '../authentication/provider-cache.js';

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
   * `<group_display_name>:<user_external_id>` for each membership of an inactive user; with `apply` they are removed.
   *
   * @throws {ProviderNotFoundError}
   */
  async reconcile(
    provider: ProviderId,
    options: { readonly apply: boolean },
    change: ChangeContext,
  ): Promise<string[]> {
    await this.providers.get(provider);
    return this.store.directory.reconcileDeprovisioned(provider, options, change);
  }
}
