import type { Store } from '@palisade/domain';
import { ConfigurationError, type JsonLogger } from '@palisade/platform';
import { DirectoryInUseError, EmbeddedPostgresUnavailableError, MemoryStore, openStore } from '@palisade/storage';
import type { ControlPlaneConfig } from './config/control-plane.config.js';

/**
 * Opens the store that the configuration names. Where the embedded database cannot run, falls back to memory and warns
 * that nothing will last; never in production.
 *
 * @throws {EmbeddedPostgresUnavailableError} in production
 * @throws {ConfigurationError} when another process, such as the other service, uses the embedded database
 */
export async function openConfiguredStore(
  { storeUrl, mode }: Pick<ControlPlaneConfig, 'storeUrl' | 'mode'>,
  logger: JsonLogger,
): Promise<Store> {
  try {
    return await openStore(storeUrl, {
      applicationName: 'control-plane',
      onServerEvent: (message) => logger.warn(message, 'store'),
      onConnectionLost: (error) => logger.warn('the database ended an idle connection', error, 'store'),
    });
  } catch (error) {
    if (error instanceof DirectoryInUseError) {
      const { directory, pid } = error;
      throw new ConfigurationError([
        `SVC_STORE_URL: process ${pid} uses the embedded database in ${directory}, which serves one process only; set it to the postgres:// URL of a server that both can use, or stop that process`,
      ]);
    }
    if (!(error instanceof EmbeddedPostgresUnavailableError) || mode === 'production') {
      throw error;
    }
    logger.warn(
      `${error.message}; keeping everything in memory instead, where the other service does not see it, and it WILL BE LOST at the end`,
      'store',
    );
    return new MemoryStore();
  }
}
