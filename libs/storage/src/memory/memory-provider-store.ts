import { isDeepStrictEqual } from 'node:util';
import {
  type ChangeContext,
  parseResourceId,
  type Provider,
  type ProviderDraft,
  ProviderExistsError,
  type ProviderId,
  ProviderNotFoundError,
  ProviderStore,
  type ProviderToken,
  type SigningPurpose,
} from '@palisade/domain';
import { compareValues } from '@palisade/scim';
import { providerChanged, tokenChanged } from '../change-records.js';
import { frozenCopy } from '../json.js';
import type { MemoryState } from './memory-state.js';

export class MemoryProviderStore extends ProviderStore {
  constructor(private readonly state: () => MemoryState) {
    super();
  }

  override async create(id: ProviderId, draft: ProviderDraft, change: ChangeContext): Promise<Provider> {
    if (this.state().providers.has(id)) {
      throw new ProviderExistsError(id);
    }
    const provider = { id, ...contentOf(draft), createdAt: new Date(change.at), modifiedAt: new Date(change.at) };
    this.state().providers.set(id, provider);
    this.state().log.append([providerChanged(change, 'create', id)]);
    return copyProvider(provider);
  }

  override async update(id: ProviderId, draft: ProviderDraft, change: ChangeContext): Promise<Provider> {
    const current = this.requireProvider(id);
    const content = contentOf(draft);
    if (isDeepStrictEqual(content, contentOf(current))) {
      return copyProvider(current);
    }
    const provider = { id, ...content, createdAt: current.createdAt, modifiedAt: new Date(change.at) };
    this.state().providers.set(id, provider);
    this.state().log.append([providerChanged(change, 'update', id)]);
    return copyProvider(provider);
  }

  override async find(id: ProviderId): Promise<Provider | undefined> {
    const provider = this.state().providers.get(id);
    return provider && copyProvider(provider);
  }

  override async list({ after, limit }: { readonly after?: ProviderId; readonly limit: number }): Promise<Provider[]> {
    return this.inOrder()
      .filter(({ id }) => after === undefined || compareValues(id, after) > 0)
      .slice(0, limit)
      .map(copyProvider);
  }

  override async delete(id: ProviderId, change: ChangeContext): Promise<void> {
    this.requireProvider(id);
    this.state().providers.delete(id);
    this.tokensOf(id).forEach((token) => this.state().tokens.delete(token.id));
    this.state().directories.delete(id);
    this.suspendBindings(id);
    this.state().log.append([providerChanged(change, 'delete', id)]);
  }

  override async findByIssuer(issuer: string): Promise<Provider[]> {
    return this.inOrder()
      .filter(({ settings }) => settings.trustedIssuers.some((trusted) => trusted.issuer === issuer))
      .map(copyProvider);
  }

  override async addToken(token: ProviderToken, change: ChangeContext): Promise<void> {
    this.requireProvider(token.provider);
    this.state().tokens.set(token.id, copyToken(token));
    this.state().log.append([tokenChanged(change, 'create', token)]);
  }

  override async findTokenByDigest(digest: string): Promise<ProviderToken | undefined> {
    const token = this.state()
      .tokens.values()
      .find((each) => each.digest === digest);
    return token && copyToken(token);
  }

  override async listTokens(provider: ProviderId): Promise<ProviderToken[]> {
    return this.tokensOf(provider).map(copyToken);
  }

  override async countTokensEnding({ after, until }: { readonly after: Date; readonly until: Date }): Promise<number> {
    const ends = [...this.state().tokens.values()].filter(({ revokedAt }) => revokedAt === undefined);
    return ends.filter(({ expiresAt }) => expiresAt !== undefined && expiresAt > after && expiresAt <= until).length;
  }

  override async revokeToken(
    provider: ProviderId,
    tokenId: string,
    change: ChangeContext,
  ): Promise<ProviderToken | undefined> {
    const token = this.tokensOf(provider).find(({ id }) => id === tokenId);
    if (!token || token.revokedAt) {
      return token && copyToken(token);
    }
    return this.replaceToken({ ...token, revokedAt: change.at }, 'revoke', change);
  }

  override async expireToken(
    provider: ProviderId,
    tokenId: string,
    expiresAt: Date,
    change: ChangeContext,
  ): Promise<ProviderToken | undefined> {
    const token = this.tokensOf(provider).find(({ id }) => id === tokenId);
    if (!token || (token.expiresAt && token.expiresAt <= expiresAt)) {
      return token && copyToken(token);
    }
    return this.replaceToken({ ...token, expiresAt }, 'expire', change);
  }

  override async touchToken(tokenId: string, usedAt: Date): Promise<void> {
    const token = this.state().tokens.get(tokenId);
    if (token && !(token.lastUsedAt && token.lastUsedAt >= usedAt)) {
      this.state().tokens.set(tokenId, copyToken({ ...token, lastUsedAt: usedAt }));
    }
  }

  override async getOrCreateSigningKey(purpose: SigningPurpose, propose: () => Promise<string>): Promise<string> {
    const proposal = this.state().signingKeys.get(purpose) ?? (await propose());
    // Another caller's proposal may have been kept in the meantime.
    const key = this.state().signingKeys.get(purpose) ?? proposal;
    this.state().signingKeys.set(purpose, key);
    return key;
  }

  private requireProvider(id: ProviderId): Provider {
    const provider = this.state().providers.get(id);
    if (!provider) {
      throw new ProviderNotFoundError(id);
    }
    return provider;
  }

  private tokensOf(provider: ProviderId): ProviderToken[] {
    return [...this.state().tokens.values()].filter((token) => token.provider === provider);
  }

  private suspendBindings(provider: ProviderId): void {
    const { bindings } = this.state();
    for (const [key, binding] of bindings) {
      if (parseResourceId(binding.boundSubject)?.providerId === provider) {
        bindings.set(key, { ...binding, isSuspended: true });
      }
    }
  }

  private inOrder(): Provider[] {
    return [...this.state().providers.values()].sort((a, b) => compareValues(a.id, b.id));
  }

  private replaceToken(token: ProviderToken, kind: 'expire' | 'revoke', change: ChangeContext): ProviderToken {
    this.state().tokens.set(token.id, copyToken(token));
    this.state().log.append([tokenChanged(change, kind, token)]);
    return copyToken(token);
  }
}

function contentOf({ displayName, settings }: ProviderDraft): ProviderDraft {
  return frozenCopy({ displayName, settings });
}

/** Settings are frozen and shared; dates have to be copied. */
function copyProvider(provider: Provider): Provider {
  return { ...provider, createdAt: new Date(provider.createdAt), modifiedAt: new Date(provider.modifiedAt) };
}

function copyToken(token: ProviderToken): ProviderToken {
  return structuredClone(token);
}
