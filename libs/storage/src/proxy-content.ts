import {
  type ChangeContext,
  type HealthObservation,
  isSamePlace,
  ManagedElsewhereError,
  type PoolName,
  ProxyTakenError,
  type Proxy,
  type ProxyDraft,
  type ProxyId,
  type ProxyBounds,
  type ProxyReport,
  type ProxySource,
  type PutProxyOptions,
  TooManyProxiesError,
} from '@palisade/domain';
import { storableText } from './storable-text.js';

const MAX_DETAIL_LENGTH = 512;

/** A proxy and since when it has its address: earlier observations concern another address. */
export interface PlacedProxy extends Proxy {
  readonly addressSince: Date;
}

/** @param now the store's time, since heartbeats are compared with it */
export function newProxy(
  id: ProxyId,
  source: ProxySource,
  draft: ProxyDraft,
  { actor, at }: ChangeContext,
  now: Date,
): PlacedProxy {
  const heartbeat = source === 'registration' && { owner: actor, lastHeartbeatAt: now };
  return {
    id,
    ...placeOf(draft),
    source,
    health: 'unknown',
    registeredAt: new Date(at),
    ...heartbeat,
    addressSince: new Date(at),
  };
}

/**
 * The proxy at its updated place; the same object when nothing changes.
 *
 * @throws {ManagedElsewhereError} {@link ProxyTakenError}
 */
export function updatePlace(
  proxy: PlacedProxy,
  source: ProxySource,
  draft: ProxyDraft,
  change: ChangeContext,
  { onlyOwn = false }: PutProxyOptions,
  now: Date,
): PlacedProxy {
  if (proxy.source !== source) {
    throw new ManagedElsewhereError('proxy', proxy.id, proxy.source);
  }
  if (onlyOwn && proxy.owner !== change.actor) {
    throw new ProxyTakenError(proxy.id);
  }
  if (proxy.host !== draft.host || proxy.port !== draft.port) {
    const { owner, registeredAt } = proxy;
    return { ...newProxy(proxy.id, source, draft, change, now), owner, registeredAt };
  }
  const placed = isSamePlace(proxy, draft) ? proxy : { ...proxy, ...placeOf(draft) };
  return noteHeartbeat(placed, now);
}

/** @throws {TooManyProxiesError} when a proxy that comes to a pool finds this many others there already */
export function requireRoom(
  { perPool, inAll }: ProxyBounds,
  pool: PoolName,
  others: { readonly inPool: number; readonly inAll: number },
): void {
  if (others.inAll >= inAll) {
    throw new TooManyProxiesError(inAll);
  }
  if (others.inPool >= perPool) {
    throw new TooManyProxiesError(perPool, pool);
  }
}

/** Only a registered proxy has to send heartbeats; whether one that was discovered is there, discovery says. */
export function noteHeartbeat(proxy: PlacedProxy, now: Date): PlacedProxy {
  return proxy.source === 'registration' ? { ...proxy, lastHeartbeatAt: now } : proxy;
}

/** The proxy with what it said of itself now, and nothing of what it said before. */
export function noteReport(proxy: PlacedProxy, { instance, version, policy }: ProxyReport): PlacedProxy {
  const { instance: _, version: __, policy: ___, ...rest } = proxy;
  return {
    ...rest,
    ...(instance !== undefined && { instance }),
    ...(version !== undefined && { version }),
    ...(policy && { policy: structuredClone(policy) }),
  };
}

/** The proxy with the observed health; the same object when nothing changes, or the observation concerns another address. */
export function observeProxy(proxy: PlacedProxy, observation: HealthObservation): PlacedProxy {
  const { health, at } = observation;
  const detail = observation.detail === undefined ? undefined : storableText(observation.detail, MAX_DETAIL_LENGTH);
  if (at < proxy.addressSince || (health === proxy.health && detail === proxy.healthDetail)) {
    return proxy;
  }
  const { healthDetail: _, healthChangedAt, ...rest } = proxy;
  const changedAt = health === proxy.health ? healthChangedAt : new Date(at);
  return {
    ...rest,
    health,
    ...(detail !== undefined && { healthDetail: detail }),
    ...(changedAt && { healthChangedAt: changedAt }),
  };
}

/** A copy for the caller, without what only the store needs. */
export function presentProxy(proxy: PlacedProxy): Proxy {
  const { addressSince: _, ...rest } = proxy;
  return structuredClone(rest);
}

function placeOf({ pool, host, port, weight, isDraining }: ProxyDraft): ProxyDraft {
  return { pool, host, port, weight, isDraining };
}
