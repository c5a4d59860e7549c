import type { Store } from '@palisade/domain';
import type { JsonLogger } from '@palisade/platform';
import { EmbeddedPostgresUnavailableError, MemoryStore, openStore } from '@palisade/storage';
import type { ScimServiceConfig } from '../config/scim-service.config.js';

/**
 * Opens the store that the configuration names. Where the embedded database cannot run, falls back to memory and warns
 * that nothing will last; never in production.
 *
 * @throws {EmbeddedPostgresUnavailableError} in production
 */
export async function openConfiguredStore(
  { storeUrl, mode }: Pick<ScimServiceConfig, 'storeUrl' | 'mode'>,
  logger: JsonLogger,
): Promise<Store> {
  try {
    return await openStore(storeUrl, {
      applicationName: 'scim-service',
      onServerEvent: (message) => logger.warn(message, 'store'),
      onConnectionLost: (error) => logger.warn('the database ended an idle connection', error, 'store'),
    });
  } catch (error) {
    if (!(error instanceof EmbeddedPostgresUnavailableError) || mode === 'production') {
      throw error;
    }
    logger.warn(`${error.message}; keeping everything in memory instead, it WILL BE LOST at the end`, 'store');
    return new MemoryStore();
  }
}
