import { asFields, asInteger, asText, type Fields, readMetadata } from './api/objects.js';
import { KubernetesError } from './api/kubernetes.errors.js';

/** A Lease, as read from the API server. */
export interface LeaseRecord {
  readonly resourceVersion: string;
  /** Empty after it was given up. */
  readonly holder: string;
  /** How often the holder has changed. */
  readonly transitions: number;
  readonly durationMs: number;
  /** By the clock of the holder. */
  readonly renewedAt: Date;
  /** Changes with each renewal. */
  readonly fingerprint: string;
}

/** The spec of a Lease, as written. */
export interface LeaseSpec {
  readonly holderIdentity: string;
  readonly leaseDurationSeconds: number;
  readonly leaseTransitions?: number;
  readonly acquireTime?: string;
  readonly renewTime: string;
}

/** Must be positive, even when nobody holds the lease. */
const SHORTEST_SECONDS = 1;

/** @throws {KubernetesError} when the object has no usable metadata */
export function readLease(object: Fields): LeaseRecord {
  const metadata = readMetadata(object);
  if (metadata === undefined) {
    throw new KubernetesError('the answer is not a Lease');
  }
  const spec = asFields(object['spec']) ?? {};
  const holder = asText(spec['holderIdentity']) ?? '';
  const transitions = asInteger(spec['leaseTransitions']) ?? 0;
  const durationMs = (asInteger(spec['leaseDurationSeconds']) ?? SHORTEST_SECONDS) * 1000;
  const renewTime = asText(spec['renewTime']) ?? '';
  const renewedMs = Date.parse(renewTime);
  return {
    resourceVersion: metadata.resourceVersion,
    holder,
    transitions,
    durationMs,
    renewedAt: new Date(Number.isNaN(renewedMs) ? 0 : renewedMs),
    fingerprint: JSON.stringify([metadata.uid, holder, transitions, durationMs, renewTime]),
  };
}

/** The spec for a holder that takes or renews the lease. */
export function taken(holder: string, ttlMs: number, before: LeaseRecord | undefined): LeaseSpec {
  const now = microTime(new Date());
  const isRenewal = before?.holder === holder;
  return {
    holderIdentity: holder,
    leaseDurationSeconds: Math.ceil(ttlMs / 1000),
    renewTime: now,
    ...(!isRenewal && { acquireTime: now, leaseTransitions: before === undefined ? 0 : before.transitions + 1 }),
  };
}

/** The spec for a lease that is given up. The number of transitions stays, so that an epoch is never used twice. */
export function givenUp(before: LeaseRecord): LeaseSpec {
  return {
    holderIdentity: '',
    leaseDurationSeconds: SHORTEST_SECONDS,
    leaseTransitions: before.transitions,
    renewTime: microTime(new Date()),
  };
}

/** Kubernetes demands six digits after the point. */
function microTime(date: Date): string {
  return date.toISOString().replace('Z', '000Z');
}
