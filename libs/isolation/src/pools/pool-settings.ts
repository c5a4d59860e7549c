import type { NamespaceId, TenantId } from '@palisade/domain';

/** Stands for all namespaces that share connections; no namespace has such a name. */
export const SHARED = '*' as NamespaceId;

export interface NamespaceLimits {
  /** Connections at most. */
  readonly max: number;
  /** Slots of the cap that nobody else can take, whether the namespace uses them or not. */
  readonly reserved: number;
  /** How many slots it is due for each slot of a namespace of weight 1. */
  readonly weight: number;
}

export interface PoolTimings {
  /** How long an acquisition may wait. */
  readonly acquireTimeoutMs: number;
  /** How long making one connection may take. */
  readonly connectTimeoutMs: number;
  /** How long cleaning one connection may take. */
  readonly resetTimeoutMs: number;
  /** An idle connection that nobody has used for so long is closed, down to what is reserved. */
  readonly idleTimeoutMs: number;
  /** No connection is leased when it is older than this, give or take 10 %. */
  readonly maxLifetimeMs: number;
  /** So long a namespace keeps an idle connection within its fair share although others wait. */
  readonly evictionGraceMs: number;
  /** Pause after the first failure to connect; doubled with each further one, and shortened by up to half at random. */
  readonly initialBackoffMs: number;
  readonly maxBackoffMs: number;
}

export interface PoolLimits {
  /** The hard cap: connections of all namespaces together, those that are opening or closing included. */
  readonly maxTotal: number;
  /** Connections of one namespace. */
  readonly maxPerNamespace: number;
  /** Namespaces whose limits differ, and those with a reservation. */
  readonly namespaces: ReadonlyMap<NamespaceId, Partial<NamespaceLimits>>;
  /** Acquisitions of one namespace that may wait without a connection being on its way to them. */
  readonly maxQueued: number;
  /** Namespaces that may have a connection or wait for one; more than the cap. */
  readonly maxNamespaces: number;
  /** Connections that may be opening at once. */
  readonly maxOpening: number;
}

export interface PoolSettings extends PoolLimits, PoolTimings {}

/** What applies to a namespace. */
export interface PoolTerms extends NamespaceLimits {
  /** Whether its requests share connections, which are kept for the next one; otherwise each is closed on release. */
  readonly isPooled: boolean;
  /** Whose it is. When that changes, connections that were opened before are not leased any more. */
  readonly tenantId?: TenantId;
  /** False when nobody may use it any more: a connection for it that cannot be made is nobody's failure. Default true. */
  readonly isServed?: boolean;
}

/** Settings that may be replaced while the pools are in use. */
export interface LiveSettings {
  current: PoolSettings;
}

/** Settings of which only the cap has no default. */
export type PoolSettingsInput = Partial<PoolSettings> & Pick<PoolSettings, 'maxTotal'>;

/** Slots that are reserved for namespaces, together. */
export function reservedTotal({ namespaces }: Pick<PoolLimits, 'namespaces'>): number {
  return namespaces.values().reduce((sum, { reserved = 0 }) => sum + reserved, 0);
}

export function limitsOf(settings: PoolSettingsInput, namespace: NamespaceId): NamespaceLimits {
  const { maxTotal, maxPerNamespace = maxTotal, namespaces } = settings;
  const own = namespaces?.get(namespace);
  return {
    max: Math.min(own?.max ?? (namespace === SHARED ? maxTotal : maxPerNamespace), maxTotal),
    reserved: own?.reserved ?? 0,
    weight: own?.weight ?? 1,
  };
}
