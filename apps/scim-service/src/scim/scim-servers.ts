import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { type ProviderId, Store } from '@palisade/domain';
import { FairTurns } from '@palisade/platform';
import { ScimServer } from '@palisade/scim';
import { ProviderCache } from '../authentication/provider-cache.js';
import { ScimServiceConfig } from '../config/scim-service.config.js';
import type { ScimCall } from './scim-call.js';
import { SCIM_ROOT } from './scim-controller.decorator.js';

const MAX_SERVERS = 1000;

interface Entry {
  readonly server: ScimServer;
  readonly modifiedAt: number;
}

/** The protocol engine of each provider, for the URL that the client uses; rebuilt when the provider's settings change. */
@Injectable()
export class ScimServers {
  private readonly entries = new LRUCache<string, Entry>({ max: MAX_SERVERS });

  constructor(
    private readonly store: Store,
    private readonly providers: ProviderCache,
    private readonly config: ScimServiceConfig,
    private readonly turns: FairTurns,
  ) {}

  /** @throws {ProviderNotFoundError} when the provider was removed meanwhile */
  async of(providerId: ProviderId, call: Pick<ScimCall, 'origin'>): Promise<ScimServer> {
    const provider = await this.providers.get(providerId);
    const baseUrl = this.baseUrl(call);
    const key = `${provider.id} ${baseUrl}`;
    const modifiedAt = provider.modifiedAt.getTime();
    const known = this.entries.get(key);
    if (known?.modifiedAt === modifiedAt) {
      return known.server;
    }
    const { id, settings } = provider;
    const server = new ScimServer({
      store: this.store,
      provider: id,
      settings,
      baseUrl,
      isRegistered: true,
      inTurn: (read) => this.turns.run(id, read),
    });
    this.entries.set(key, { server, modifiedAt });
    return server;
  }

  /** Root of the protocol's URLs: the configured public one, else the one that the client used. */
  baseUrl({ origin = '' }: Pick<ScimCall, 'origin'>): string {
    return (this.config.publicUrl ?? origin) + SCIM_ROOT;
  }
}
