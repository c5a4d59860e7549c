import { Injectable } from '@nestjs/common';
import { DEFAULT_PROVIDER_SETTINGS, ProviderExistsError, Store, type ChangeContext } from '@palisade/domain';
import { CONFIGURATION_ACTOR } from '@palisade/guards';
import { AuthenticationConfig } from './authentication.config.js';
import { ProviderCache } from './provider-cache.js';

/** The provider that the environment's token belongs to. */
@Injectable()
export class ConfiguredProvider {
  private ensuring: Promise<void> | undefined;

  constructor(
    private readonly config: AuthenticationConfig,
    private readonly store: Store,
    private readonly cache: ProviderCache,
  ) {}

  /**
   * Makes sure, once in the life of the process, that the provider exists and has the configured dialect. Does nothing
   * when the environment has no token.
   *
   * @throws {StoreUnavailableError} and tries again at the next call
   */
  async ensure(): Promise<void> {
    this.ensuring ??= this.createOrAdapt();
    try {
      await this.ensuring;
    } catch (error) {
      this.ensuring = undefined;
      throw error;
    }
  }

  private async createOrAdapt(): Promise<void> {
    if (this.config.scimBearerToken === undefined) {
      return;
    }
    const change = { actor: CONFIGURATION_ACTOR, at: new Date() };
    await this.createIfMissing(change);
    await this.applyDialect(change);
    this.cache.clear();
  }

  private async createIfMissing(change: ChangeContext): Promise<void> {
    const { scimProviderId: id, scimDialect: dialect = DEFAULT_PROVIDER_SETTINGS.dialect } = this.config;
    if ((await this.store.providers.find(id)) !== undefined) {
      return;
    }
    try {
      await this.store.providers.create(id, { settings: { ...DEFAULT_PROVIDER_SETTINGS, dialect } }, change);
    } catch (error) {
      // Another replica that starts at the same time was faster.
      if (!(error instanceof ProviderExistsError)) {
        throw error;
      }
    }
  }

  private async applyDialect(change: ChangeContext): Promise<void> {
    const { scimProviderId: id, scimDialect: dialect } = this.config;
    const provider = await this.store.providers.find(id);
    if (provider === undefined || dialect === undefined || provider.settings.dialect === dialect) {
      return;
    }
    const { displayName, settings } = provider;
    await this.store.providers.update(id, { displayName, settings: { ...settings, dialect } }, change);
  }
}
