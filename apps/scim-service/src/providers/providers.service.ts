import { Injectable } from '@nestjs/common';
import {
  ProviderNotFoundError,
  Store,
  parseProviderId,
  type ChangeContext,
  type Provider,
  type ProviderDraft,
  type ProviderId,
} from '@palisade/domain';
import { decodeCursor } from '@palisade/platform';
import { ProviderCache } from '../authentication/provider-cache.js';
import { TokenCache } from '../authentication/token-cache.js';

/** Identity providers. What changes here holds for the next request to this process. */
@Injectable()
export class ProvidersService {
  constructor(
    private readonly store: Store,
    private readonly providerCache: ProviderCache,
    private readonly tokenCache: TokenCache,
  ) {}

  /** @throws {ProviderExistsError} {@link InvalidIdentifierError} */
  async create(id: string, draft: ProviderDraft, change: ChangeContext): Promise<Provider> {
    const provider = await this.store.providers.create(parseProviderId(id), draft, change);
    this.providerCache.clear();
    return provider;
  }

  /** @throws {ProviderNotFoundError} */
  async get(id: ProviderId): Promise<Provider> {
    const provider = await this.store.providers.find(id);
    if (provider === undefined) {
      throw new ProviderNotFoundError(id);
    }
    return provider;
  }

  /** One more than `limit`, if there are: a page and whether more follow. */
  async list({ cursor, limit }: { readonly cursor?: string; readonly limit: number }): Promise<Provider[]> {
    const [after] = cursor === undefined ? [] : decodeCursor(cursor, 1);
    return this.store.providers.list({ after: after === undefined ? after : parseProviderId(after), limit: limit + 1 });
  }

  /** @throws {ProviderNotFoundError} */
  async replace(id: ProviderId, draft: ProviderDraft, change: ChangeContext): Promise<Provider> {
    const provider = await this.store.providers.update(id, draft, change);
    this.providerCache.clear();
    return provider;
  }

  /** @throws {ProviderNotFoundError} */
  async delete(id: ProviderId, change: ChangeContext): Promise<void> {
    await this.store.providers.delete(id, change);
    this.providerCache.clear();
    this.tokenCache.clear();
  }
}
