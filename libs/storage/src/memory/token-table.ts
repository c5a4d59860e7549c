import type { ProviderId, ProviderToken } from '@palisade/domain';

/** The tokens of all providers. Ids and digests are unique over all of them. */
export class TokenTable {
  private readonly byProvider = new Map<ProviderId, Map<string, ProviderToken>>();
  /** Across providers: a request presents a token before its provider is known. */
  private readonly byDigest = new Map<string, ProviderToken>();
  private readonly byId = new Map<string, ProviderToken>();

  get size(): number {
    return this.byId.size;
  }

  get providerCount(): number {
    return this.byProvider.size;
  }

  /** The tokens of every provider. */
  all(): ProviderToken[] {
    return [...this.byId.values()];
  }

  /** In the order in which they were added. */
  ofProvider(provider: ProviderId): ProviderToken[] {
    return [...(this.byProvider.get(provider)?.values() ?? [])];
  }

  find(provider: ProviderId, id: string): ProviderToken | undefined {
    return this.byProvider.get(provider)?.get(id);
  }

  findById(id: string): ProviderToken | undefined {
    return this.byId.get(id);
  }

  findByDigest(digest: string): ProviderToken | undefined {
    return this.byDigest.get(digest);
  }

  /** Adds a token, or replaces the one with its id. */
  set(token: ProviderToken): void {
    const tokens = this.byProvider.get(token.provider) ?? new Map<string, ProviderToken>();
    this.byProvider.set(token.provider, tokens.set(token.id, token));
    this.byDigest.set(token.digest, token);
    this.byId.set(token.id, token);
  }

  deleteAllOf(provider: ProviderId): void {
    for (const { id, digest } of this.ofProvider(provider)) {
      this.byDigest.delete(digest);
      this.byId.delete(id);
    }
    this.byProvider.delete(provider);
  }
}
