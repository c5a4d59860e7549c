import type { PoolName, TenantId } from '../identifiers.js';
import type { NamespacePattern } from './namespace-pattern.js';

export const ISOLATION_LEVELS = ['none', 'namespace', 'session'] as const;
/** Who shares connections to a backend: everybody, the requests of one namespace, or only one session. */
export type IsolationLevel = (typeof ISOLATION_LEVELS)[number];

export const BACKEND_KINDS = ['postgres', 'redis', 'nats', 'kafka'] as const;
/** Relational database, key-value store, message bus, streaming platform. */
export type BackendKind = (typeof BACKEND_KINDS)[number];

export const TENANCY_MODELS = ['single_tenant', 'multi_tenant', 'hybrid'] as const;
/** How the whole installation is deployed. */
export type TenancyModel = (typeof TENANCY_MODELS)[number];

export const DEPLOYMENTS = ['single_tenant', 'multi_tenant'] as const;
/** Where one tenant runs: proxies of its own, or shared ones. */
export type Deployment = (typeof DEPLOYMENTS)[number];

export const TIERS = ['enterprise', 'premium', 'standard'] as const;
export type Tier = (typeof TIERS)[number];

/** Connections to one backend, as document 2's `connection_pools.<backend>` sets them; absent ones have the pool's values. */
export interface BackendPoolSettings {
  readonly connectionsPerNamespace?: number;
  readonly maxTotalConnections?: number;
  readonly maxConnections?: number;
  readonly perSessionLimit?: number;
}

export type ConnectionPools = Readonly<Partial<Record<BackendKind, BackendPoolSettings>>>;

/** What one namespace may use of one proxy; what is absent has no limit of its own. */
export interface NamespaceResources {
  /** Requests per second; a burst may be as large. */
  readonly maxRps?: number;
  /** CPU time of the process's main thread per time, as an average. */
  readonly cores?: number;
  /** Memory that the process holds for it. */
  readonly bytes?: number;
}

/** What an operator or the orchestrator says about a tenant. What is absent is decided by routing rules and defaults. */
export interface TenantDraft {
  /** One at least; namespaces that belong to the tenant. Those of one tenant may overlap, those of different ones not. */
  readonly namespacePatterns: readonly NamespacePattern[];
  readonly pool?: PoolName;
  readonly isolationLevel?: IsolationLevel;
  readonly tier?: Tier;
  /** In the currency of the rules; at least 0. */
  readonly annualRevenue?: number;
  readonly connectionPools?: ConnectionPools;
  /** What each of its namespaces may use of each proxy, over what rules and pools say. */
  readonly resourceLimits?: NamespaceResources;
}

/** Where a tenant comes from; only the source that created it may change it. */
export type TenantSource = 'api' | 'kubernetes';

export interface Tenant extends TenantDraft {
  readonly id: TenantId;
  readonly source: TenantSource;
  /** Starts at 1, increases with each change. */
  readonly version: number;
  readonly createdAt: Date;
  readonly modifiedAt: Date;
  /** The pool that the tenant has left; its proxies may still serve the tenant until then. */
  readonly draining?: { readonly pool: PoolName; readonly until: Date };
}
