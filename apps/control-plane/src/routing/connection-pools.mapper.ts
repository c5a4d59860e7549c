import { BACKEND_KINDS, type BackendPoolSettings, type ConnectionPools } from '@palisade/domain';
import { InvalidRequestError } from '@palisade/platform';
import type { BackendPoolBody, ConnectionPoolsBody } from './connection-pools.dto.js';

/** @throws {InvalidRequestError} when a namespace would get more connections than there are */
export function toConnectionPools(body: ConnectionPoolsBody): ConnectionPools {
  return Object.fromEntries(
    BACKEND_KINDS.flatMap((backend) => {
      const pool = body[backend];
      return pool === undefined ? [] : [[backend, toBackendPool(pool, `connection_pools.${backend}`)]];
    }),
  );
}

export function toConnectionPoolsBody(pools: ConnectionPools): ConnectionPoolsBody {
  return Object.fromEntries(
    BACKEND_KINDS.flatMap((backend) => {
      const pool = pools[backend];
      return pool === undefined ? [] : [[backend, toBackendPoolBody(pool)]];
    }),
  );
}

function toBackendPool(body: BackendPoolBody, path: string): BackendPoolSettings {
  const settings = {
    connectionsPerNamespace: body.connections_per_namespace,
    maxTotalConnections: body.max_total_connections,
    maxConnections: body.max_connections,
    perSessionLimit: body.per_session_limit,
  };
  requireWithin(`${path}.connections_per_namespace`, settings.connectionsPerNamespace, settings.maxTotalConnections);
  requireWithin(`${path}.per_session_limit`, settings.perSessionLimit, settings.maxConnections);
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}

function requireWithin(field: string, part: number | undefined, all: number | undefined): void {
  if (part !== undefined && all !== undefined && part > all) {
    throw new InvalidRequestError(field, `at most ${all}, as many as there are in all`);
  }
}

function toBackendPoolBody(settings: BackendPoolSettings): BackendPoolBody {
  return {
    connections_per_namespace: settings.connectionsPerNamespace,
    max_total_connections: settings.maxTotalConnections,
    max_connections: settings.maxConnections,
    per_session_limit: settings.perSessionLimit,
  };
}
