import { Injectable, Optional } from '@nestjs/common';
import { ProviderNotFoundError, Store, type Provider, type ProviderId } from '@palisade/domain';
import { ExpiringCache } from './expiring-cache.js';

const MAX_ENTRIES = 10_000;
const MAX_AGE_MS = 5000;

/**
 * Providers and their settings as requests need them. A change made by this process is seen at once, one made by
 * another replica within five seconds.
 */
@Injectable()
export class ProviderCache {
  private readonly byId: ExpiringCache<Provider | undefined>;
  private readonly byIssuer: ExpiringCache<readonly Provider[]>;

  /** @param now milliseconds since 1970 */
  constructor(
    private readonly store: Store,
    @Optional() now: () => number = Date.now,
  ) {
    this.byId = new ExpiringCache({ maxEntries: MAX_ENTRIES, maxAgeMs: MAX_AGE_MS, now });
    this.byIssuer = new ExpiringCache({ maxEntries: MAX_ENTRIES, maxAgeMs: MAX_AGE_MS, now });
  }

  find(id: ProviderId): Promise<Provider | undefined> {
    return this.byId.get(id, () => this.store.providers.find(id));
  }

  /** @throws {ProviderNotFoundError} */
  async get(id: ProviderId): Promise<Provider> {
    const provider = await this.find(id);
    if (provider === undefined) {
      throw new ProviderNotFoundError(id);
    }
    return provider;
  }

  /** Providers that trust the issuer. */
  findByIssuer(issuer: string): Promise<readonly Provider[]> {
    return this.byIssuer.get(issuer, () => this.store.providers.findByIssuer(issuer));
  }

  /** The next question about the issuer goes to the store. */
  forgetIssuer(issuer: string): void {
    this.byIssuer.delete(issuer);
  }

  /** To be called after a change of any provider. */
  clear(): void {
    this.byId.clear();
    this.byIssuer.clear();
  }
}
