import type { PoolName, ProxyId } from '../identifiers.js';

/** How the control plane learned of a proxy. */
export type ProxySource = 'registration' | 'static' | 'dns_srv' | 'kubernetes';

/**
 * `unknown` until checked for the first time, which counts as healthy for nothing. `draining` is asked for by the proxy
 * or an operator: no new requests, but still alive.
 */
export type ProxyHealth = 'unknown' | 'healthy' | 'unhealthy';

/** Where a proxy can be reached. */
export interface ProxyDraft {
  readonly pool: PoolName;
  /** Name or address. */
  readonly host: string;
  readonly port: number;
  /** 1 to 256, relative to the others of the pool. */
  readonly weight: number;
  readonly isDraining: boolean;
}

export interface Proxy extends ProxyDraft {
  readonly id: ProxyId;
  readonly source: ProxySource;
  readonly health: ProxyHealth;
  /** Why it is not healthy, or how it was found to be, for people. */
  readonly healthDetail?: string;
  readonly healthChangedAt?: Date;
  readonly registeredAt: Date;
  /** Of a registered proxy: the last sign of life. */
  readonly lastHeartbeatAt?: Date;
}

/** Whether both say the same of where the proxy is and what it takes. */
export function isSamePlace(a: ProxyDraft, b: ProxyDraft): boolean {
  return (
    a.pool === b.pool &&
    a.host === b.host &&
    a.port === b.port &&
    a.weight === b.weight &&
    a.isDraining === b.isDraining
  );
}
