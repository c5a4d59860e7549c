import type { Store } from '@palisade/domain';
import { ConfigurationError, type JsonLogger } from '@palisade/platform';
import { DirectoryInUseError, EmbeddedPostgresUnavailableError, MemoryStore, openStore } from '@palisade/storage';
import type { ScimServiceConfig } from './config/scim-service.config.js';

/** A provider that sends more at once is told to come again, before its requests take much memory. */
const MAX_QUEUED_PER_PROVIDER = 200;

/**
 * Opens the store that the configuration names. Where the embedded database cannot run, falls back to memory and warns
 * that nothing will last; never in production.
 *
 * @throws {EmbeddedPostgresUnavailableError} in production
 * @throws {ConfigurationError} when another process, such as the other service, uses the embedded database
 */
export async function openConfiguredStore(
  config: Pick<
    ScimServiceConfig,
    'storeUrl' | 'mode' | 'storeIsolationLevel' | 'storeMaxConnections' | 'storeConnectionsPerProvider'
  >,
  logger: JsonLogger,
): Promise<Store> {
  try {
    return await openStore(config.storeUrl, {
      isolationLevel: config.storeIsolationLevel,
      maxConnections: config.storeMaxConnections,
      connectionsPerProvider: config.storeConnectionsPerProvider,
      ...(config.storeIsolationLevel === 'namespace' && { maxQueued: MAX_QUEUED_PER_PROVIDER }),
      applicationName: 'scim-service',
      onServerEvent: (message) => logger.warn(message, 'store'),
      onConnectionLost: (error) => logger.warn('a connection to the database broke', error, 'store'),
    });
  } catch (error) {
    if (error instanceof DirectoryInUseError) {
      const { directory, pid } = error;
      throw new ConfigurationError([
        `SVC_STORE_URL: process ${pid} uses the embedded database in ${directory}, which serves one process only; set it to the postgres:// URL of a server that both can use, or stop that process`,
      ]);
    }
    if (!(error instanceof EmbeddedPostgresUnavailableError) || config.mode === 'production') {
      throw error;
    }
    logger.warn(
      `${error.message}; keeping everything in memory instead, where the other service does not see it, and it WILL BE LOST at the end`,
      'store',
    );
    return new MemoryStore();
  }
}
