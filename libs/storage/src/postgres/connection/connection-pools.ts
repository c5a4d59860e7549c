import { type NamespaceId, parseNamespaceId, type ProviderId } from '@palisade/domain';
import { NamespacePools, PostgresDriver } from '@palisade/isolation/postgres';
import type { Client } from 'pg';
import { type Connection, connectionOn } from './kysely-connection.js';
import { answerTimeoutMs, clientConfig, DEFAULT_CONNECT_TIMEOUT_MS, type PostgresOptions } from './postgres-options.js';
import { PreparingClient } from './prepared-statements.js';

/** The service itself, as a namespace. It is not a valid label, so no provider has this name. */
export const SERVICE = '(service)' as NamespaceId;

/** Connections that only the service can use, so that health, credentials and administration work under any load of providers. */
const RESERVED_FOR_SERVICE = 2;
const DEFAULT_MAX_CONNECTIONS = 20;
/** Provisioning clients count a 429 as a failure, so operations wait rather long: half of such a client's time-out. */
export const DEFAULT_ACQUIRE_TIMEOUT_MS = 30_000;

/** All connections have the same role, and no statement here changes session state, so sessions are not reset. */
export function createDriver(url: string, options: PostgresOptions): PostgresDriver {
  const { onConnectionLost } = options;
  return new PostgresDriver({
    config: clientConfig(url, options),
    sessionState: 'trust',
    createClient: (config) => {
      const client = new PreparingClient(config, answerTimeoutMs(options));
      return onConnectionLost === undefined ? client : client.once('error', onConnectionLost);
    },
  });
}

/** The pools of connections to one database: one for each provider and one for the service itself, or one for all. */
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

/** Runs work on a connection of its own, outside of the pools, and closes it afterwards. */
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
