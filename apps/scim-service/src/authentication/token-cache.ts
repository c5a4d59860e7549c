import { Injectable, Optional } from '@nestjs/common';
import { Store, type ProviderId, type ProviderToken } from '@palisade/domain';
import { ExpiringCache } from './expiring-cache.js';

const MAX_ENTRIES = 10_000;
const MAX_AGE_MS = 5000;

/**
 * Stored tokens as requests need them, unknown ones too. A revocation by this process is seen at once, one by another
 * replica within five seconds.
 */
@Injectable()
export class TokenCache {
  private readonly byDigest: ExpiringCache<ProviderToken | undefined>;
  private readonly clients: ExpiringCache<ProviderToken | undefined>;

  /** @param now milliseconds since 1970 */
  constructor(
    private readonly store: Store,
    @Optional() now: () => number = Date.now,
  ) {
    this.byDigest = new ExpiringCache({ maxEntries: MAX_ENTRIES, maxAgeMs: MAX_AGE_MS, now });
    this.clients = new ExpiringCache({ maxEntries: MAX_ENTRIES, maxAgeMs: MAX_AGE_MS, now });
  }

  findByDigest(digest: string): Promise<ProviderToken | undefined> {
    return this.byDigest.get(digest, () => this.store.providers.findTokenByDigest(digest));
  }

  /** The token of kind `client` with this id. */
  findClient(provider: ProviderId, id: string): Promise<ProviderToken | undefined> {
    return this.clients.get(`${provider} ${id}`, async () => {
      const tokens = await this.store.providers.listTokens(provider);
      return tokens.find((token) => token.id === id && token.kind === 'client');
    });
  }

  /** To be called after a change of any token. */
  clear(): void {
    this.byDigest.clear();
    this.clients.clear();
  }
}
