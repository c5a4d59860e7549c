import { SERVICE, createDriver } from './connection-pools.js';
import { connectionOn, type Connection } from './kysely-connection.js';
import { DEFAULT_CONNECT_TIMEOUT_MS, type PostgresOptions } from './postgres-options.js';

/** Does work on a connection of its own, which counts against no cap and is closed afterwards. */
export async function withConnection<T>(
  url: string,
  options: PostgresOptions,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const driver = createDriver(url, options);
  const timeoutMs = options.connectTimeoutMs ?? DEFAULT_CONNECT_TIMEOUT_MS;
  const client = await driver.connect(SERVICE, AbortSignal.timeout(timeoutMs));
  try {
    return await work(connectionOn(client));
  } finally {
    await driver.close(client);
  }
}
