import { type NamespaceId, parseNamespaceId, type ProviderId } from '@palisade/domain';
import { NamespacePools, PostgresDriver } from '@palisade/isolation/postgres';
import type { Client } from 'pg';
import { type Connection, connectionOn } from './kysely-connection.js';
import { clientConfig, DEFAULT_CONNECT_TIMEOUT_MS, type PostgresOptions } from './postgres-options.js';
import { PreparingClient } from './prepared-statements.js';

/** Stands for the service itself among the namespaces. It is no label, so no provider has this name. */
export const SERVICE = '(service)' as NamespaceId;

/** So many connections nobody else can take: health, credentials and administration go on beside any load of providers. */
const RESERVED_FOR_SERVICE = 2;
const DEFAULT_MAX_CONNECTIONS = 20;
/** Provisioning clients count a refusal as a failure, so an operation rather waits; that is half of their time-out. */
const DEFAULT_ACQUIRE_TIMEOUT_MS = 30_000;

/** All connections carry the same role, and nothing here leaves a trace in their sessions, so nothing is cleaned. */
export function createDriver(url: string, options: PostgresOptions): PostgresDriver {
  const { onConnectionLost } = options;
  return new PostgresDriver({
    config: clientConfig(url, options),
    sessionState: 'trust',
    createClient: (config) => {
      const client = new PreparingClient(config);
      return onConnectionLost === undefined ? client : client.once('error', onConnectionLost);
    },
  });
}

/** The connections to one database: a pool for each provider and one for the service itself, or one for all. */
export function createPools(url: string, options: PostgresOptions): NamespacePools<Client> {
  const {
    maxConnections = DEFAULT_MAX_CONNECTIONS,
    connectTimeoutMs = DEFAULT_CONNECT_TIMEOUT_MS,
    idleTimeoutMs = 30_000,
  } = options;
  const { acquireTimeoutMs = DEFAULT_ACQUIRE_TIMEOUT_MS } = options;
  const common = {
    name: 'postgres',
    driver: createDriver(url, options),
    maxTotal: maxConnections,
    acquireTimeoutMs,
    connectTimeoutMs,
    idleTimeoutMs,
    maxQueued: options.maxQueued,
  };
  if (options.isolationLevel === 'none') {
    return new NamespacePools({ ...common, isShared: true });
  }
  const reserved = Math.min(RESERVED_FOR_SERVICE, maxConnections - 1);
  return new NamespacePools({
    ...common,
    maxPerNamespace: options.connectionsPerProvider ?? Math.ceil(maxConnections / 2),
    namespaces: new Map([[SERVICE, { reserved, max: maxConnections }]]),
  });
}

export function namespaceOf(provider: ProviderId): NamespaceId {
  return parseNamespaceId(provider);
}

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
