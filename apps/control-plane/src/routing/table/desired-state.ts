import type { NamespacePattern, PoolName, ProxyId, TenantId } from '@palisade/domain';

/** One pool, or several among which namespaces are divided: `crc32(namespace) mod total weight` says which. */
export type Destination = PoolName | WeightedSplit;

export interface WeightedSplit {
  /** In order; a namespace whose remainder is less than the sum of the weights up to a part belongs to that part. */
  readonly parts: readonly { readonly pool: PoolName; readonly weight: number }[];
}

/** A tenant that is sent to a pool although not all of its proxies know it. */
export interface OverdueTenant {
  readonly tenant: TenantId;
  /** What the proxies were to acknowledge. */
  readonly revision: number;
  readonly proxies: readonly ProxyId[];
}

export interface DesiredServer {
  readonly id: ProxyId;
  readonly host: string;
  readonly port: number;
  /** 1 to 256. */
  readonly weight: number;
  /** `drain` finishes its requests, `down` gets none. */
  readonly state: 'up' | 'drain' | 'down';
}

/**
 * The desired state of the load balancer, at one revision of the registry. The first of these decides where a namespace goes:
 * its own name in `exact`; of the prefixes and wildcards that match, the one with the longest literal prefix, then with the
 * most literal characters; `fallback`; nowhere (404).
 */
export interface DesiredState {
  readonly revision: number;
  /** Sorted by name. A pool without servers answers 503. */
  readonly pools: readonly { readonly name: PoolName; readonly servers: readonly DesiredServer[] }[];
  readonly exact: ReadonlyMap<string, Destination>;
  /** By prefix, without the `*`. */
  readonly prefixes: ReadonlyMap<string, Destination>;
  /** Patterns of any other shape; at most `MAX_WILDCARD_PATTERNS`. */
  readonly wildcards: ReadonlyMap<NamespacePattern, Destination>;
  readonly fallback?: Destination;
  /** Tenants whose pools were not waited for any longer. */
  readonly overdue?: readonly OverdueTenant[];
}
