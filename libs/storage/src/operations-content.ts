import type { ComponentStatus, LoadBalancerVersion, ReloadRequest } from '@palisade/domain';
import { requireStorable, storableText } from './storable-text.js';

/** How many of the load balancer's latest versions are kept. */
export const MAX_KEPT_VERSIONS = 1000;

const MAX_REASON_LENGTH = 8192;

/**
 * The version in a form that every store can keep: a reason is some program's output, so it is cut and cleaned, not rejected.
 *
 * @throws {InvalidIdentifierError} when a name in it cannot be stored
 */
export function storableVersion(version: LoadBalancerVersion): LoadBalancerVersion {
  requireStorable('version id', version.id);
  if (version.hash !== '') {
    requireStorable('hash', version.hash);
  }
  requireStorable('actor', version.actor);
  const { reason, ...rest } = structuredClone(version);
  return reason === undefined ? rest : { ...rest, reason: storableText(reason, MAX_REASON_LENGTH) };
}

/** @throws {InvalidIdentifierError} when a name in it cannot be stored */
export function requireStorableStatus({ component, holder }: ComponentStatus): void {
  requireStorable('component', component);
  requireStorable('holder', holder);
}

/** @throws {InvalidIdentifierError} when a name in it cannot be stored */
export function storableReloadRequest(request: ReloadRequest): ReloadRequest {
  requireStorable('request id', request.id);
  requireStorable('actor', request.actor);
  return request;
}

const MIN_TTL_MS = 1_000;
const MAX_TTL_MS = 60_000;

/** @throws {RangeError} {@link InvalidIdentifierError} */
export function requireLeaseRequest(name: string, holder: string, ttlMs: number): void {
  requireStorable('lease', name);
  requireStorable('holder', holder);
  if (!(ttlMs >= MIN_TTL_MS && ttlMs <= MAX_TTL_MS)) {
    throw new RangeError(`ttlMs: expected ${MIN_TTL_MS} to ${MAX_TTL_MS}, found ${ttlMs}`);
  }
}
