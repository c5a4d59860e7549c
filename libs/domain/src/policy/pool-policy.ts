import type { IsolationLevel } from '../tenancy/tenant.js';
import type { JsonObject } from '../values/json.js';

/**
 * The policy of a proxy pool as it goes over the wire from the control plane to each of its proxies: what they have to
 * enforce, and nothing else. It holds no secrets. Names are in snake_case because these are JSON documents; a proxy checks
 * each before it applies it, and rejects a key that it does not know, because it could not enforce what the key demands.
 */

/**
 * The id under which namespaces are served that the configuration sends to the pool and no tenant has. No tenant can be
 * registered by it.
 */
export const UNREGISTERED_TENANT = 'unregistered';

/** What a tenant has of its own; what is absent is the pool's. */
export interface TenantPolicy {
  readonly tenant_id: string;
  /** One at least: exact names and globs, which belong to no other tenant. */
  readonly namespaces: readonly string[];
  readonly isolation_level?: IsolationLevel;
  /** `connections_per_namespace` and `per_session_limit` by backend. Caps are the pool's alone. */
  readonly connection_pools?: Readonly<Record<string, JsonObject>>;
  /** `max_rps`, `cpu` and `memory` of each namespace. */
  readonly resource_limits?: JsonObject;
}

/** The first event of a stream, and whenever a proxy is too far behind: replaces all that the proxy knew. */
export interface CompletePolicy {
  readonly revision: number;
  /** SHA-256 of the control plane's configuration for the pool, in hexadecimal: revisions count within one. */
  readonly configuration: string;
  readonly pool: string;
  /** What every tenant of the pool has unless it says otherwise: keys of the isolation library's settings. */
  readonly settings: JsonObject;
  readonly tenants: readonly TenantPolicy[];
  /** Set when the store was restored to an earlier state: the revision may then be lower than the one before. */
  readonly restored?: true;
}

/** What has changed since the event before; applied whole or not at all. */
export interface PolicyChange {
  /** The revision that the change starts from: the one that the proxy has. */
  readonly from: number;
  /** Later than `from`, or equal to it when nothing but the time of tenants that have left the pool is over. */
  readonly revision: number;
  /** As they are now. */
  readonly tenants: readonly TenantPolicy[];
  /** Ids of tenants that the pool serves no longer. */
  readonly removed: readonly string[];
}

/** Names of the events of `GET /api/v1/proxies/{id}/policy`. */
export const POLICY_EVENTS = { complete: 'policy', change: 'change', access: 'access' } as const;

/** A comment comes at least this often when there is nothing else, so that both ends notice a dead line. */
export const POLICY_KEEPALIVE_MS = 1000;
