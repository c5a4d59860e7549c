import { InvalidIdentifierError, LeaseStore, StoreUnavailableError, type HeldLease } from '@palisade/domain';
import type { Fields } from './api/objects.js';
import { pathOf, type ApiRequest, type KubernetesApi } from './api/kubernetes-api.js';
import { KubernetesError } from './api/kubernetes.errors.js';
import { givenUp, readLease, taken, type LeaseRecord, type LeaseSpec } from './lease-record.js';

export interface KubernetesLeaseOptions {
  /** The namespace of Kubernetes. */
  readonly namespace: string;
  /** The lease `x` is the Lease `<prefix>x`. */
  readonly prefix: string;
  /** Milliseconds since any moment; never goes back. */
  readonly monotonicNow?: () => number;
}

const API_GROUP = '/apis/coordination.k8s.io/v1';
const PLURAL = 'leases';
const MIN_TTL_MS = 1000;
const MAX_TTL_MS = 60_000;
const MAX_HOLDER_LENGTH = 255;
/** RFC 1123 subdomain. */
const OBJECT_NAME = /^(?=.{1,253}$)[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/;
const RELEASE_TIMEOUT_MS = 5000;
const RETRY_AFTER_SECONDS = 1;

/**
 * Leases of Kubernetes (coordination.k8s.io/v1). Clocks of replicas need not agree: a replica judges whether a lease has run
 * out by the time since it saw the lease change, by its own clock. So a lease that is seen for the first time counts as just
 * renewed. When two replicas want a lease at once, the API server decides, as it accepts a change only to the version that
 * it was made from. An outage of the API server is a {@link StoreUnavailableError}; a rejected request is a
 * {@link KubernetesError}.
 */
export class KubernetesLeaseStore extends LeaseStore {
  /** When each lease was first seen in its present state, by name. */
  private readonly seen = new Map<string, { readonly fingerprint: string; readonly at: number }>();
  private readonly monotonicNow: () => number;

  constructor(
    private readonly api: KubernetesApi,
    private readonly options: KubernetesLeaseOptions,
  ) {
    super();
    this.monotonicNow = options.monotonicNow ?? (() => performance.now());
  }

  override async acquire(name: string, holder: string, ttlMs: number): Promise<HeldLease> {
    requireRequest(this.objectName(name), name, holder, ttlMs);
    // An answer that takes longer would come too late to use the lease.
    const signal = AbortSignal.timeout(ttlMs / 2);
    while (true) {
      const record = await this.read(name, signal);
      if (record !== undefined && record.holder !== holder && this.isHeld(name, record)) {
        return toHeldLease(name, record);
      }
      const written = await this.write(name, record, taken(holder, ttlMs, record), signal);
      if (written !== undefined) {
        return toHeldLease(name, written);
      }
    }
  }

  override async release(name: string, holder: string): Promise<boolean> {
    const signal = AbortSignal.timeout(RELEASE_TIMEOUT_MS);
    while (true) {
      const record = await this.read(name, signal);
      if (record === undefined || record.holder !== holder || !this.isHeld(name, record)) {
        return false;
      }
      if ((await this.write(name, record, givenUp(record), signal)) !== undefined) {
        return true;
      }
    }
  }

  override async find(name: string): Promise<HeldLease | undefined> {
    const record = await this.read(name, AbortSignal.timeout(RELEASE_TIMEOUT_MS));
    return record !== undefined && this.isHeld(name, record) ? toHeldLease(name, record) : undefined;
  }

  private isHeld(name: string, { holder, durationMs, fingerprint }: LeaseRecord): boolean {
    const now = this.monotonicNow();
    const seen = this.seen.get(name);
    const since = seen?.fingerprint === fingerprint ? seen.at : now;
    this.seen.set(name, { fingerprint, at: since });
    return holder !== '' && now < since + durationMs;
  }

  /** Undefined when the Lease does not exist. */
  private async read(name: string, signal: AbortSignal): Promise<LeaseRecord | undefined> {
    const objectName = this.objectName(name);
    if (!OBJECT_NAME.test(objectName)) {
      return undefined;
    }
    const path = pathOf(API_GROUP, this.options.namespace, PLURAL, objectName);
    const answer = await this.request({ method: 'GET', path }, signal, 404);
    return answer && readLease(answer);
  }

  /** Undefined when another replica was faster. */
  private async write(
    name: string,
    before: LeaseRecord | undefined,
    spec: LeaseSpec,
    signal: AbortSignal,
  ): Promise<LeaseRecord | undefined> {
    const { namespace } = this.options;
    const objectName = this.objectName(name);
    const at = this.monotonicNow();
    const answer =
      before === undefined
        ? await this.request(creation(namespace, objectName, spec), signal, 409)
        : await this.request(change(namespace, objectName, before, spec), signal, 409, 404);
    const record = answer && readLease(answer);
    if (record !== undefined) {
      this.seen.set(name, { fingerprint: record.fingerprint, at });
    }
    return record;
  }

  /** Undefined for an answer with one of these statuses. */
  private async request(
    request: ApiRequest,
    signal: AbortSignal,
    ...expected: readonly number[]
  ): Promise<Fields | undefined> {
    try {
      return await this.api.request(request, signal);
    } catch (error) {
      const { status = 0, isPassing = signal.aborted } = error instanceof KubernetesError ? error : {};
      if (expected.includes(status)) {
        return undefined;
      }
      throw isPassing ? new StoreUnavailableError(RETRY_AFTER_SECONDS, { cause: error }) : error;
    }
  }

  private objectName(name: string): string {
    return `${this.options.prefix}${name}`;
  }
}

function creation(namespace: string, name: string, spec: LeaseSpec): ApiRequest {
  const body = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name, namespace }, spec };
  return { method: 'POST', path: pathOf(API_GROUP, namespace, PLURAL), body };
}

/** The API server rejects it unless the Lease still has that version. */
function change(namespace: string, name: string, { resourceVersion }: LeaseRecord, spec: LeaseSpec): ApiRequest {
  return {
    method: 'PATCH',
    path: pathOf(API_GROUP, namespace, PLURAL, name),
    body: { metadata: { resourceVersion }, spec },
  };
}

function requireRequest(objectName: string, name: string, holder: string, ttlMs: number): void {
  if (!OBJECT_NAME.test(objectName)) {
    throw new InvalidIdentifierError('lease', name, 'a name that an object of Kubernetes can have');
  }
  if (holder.length === 0 || holder.length > MAX_HOLDER_LENGTH || holder.includes('\0') || !holder.isWellFormed()) {
    const expected = `1 to ${MAX_HOLDER_LENGTH} characters, no U+0000, no lone surrogates`;
    throw new InvalidIdentifierError('holder', holder, expected);
  }
  if (!(ttlMs >= MIN_TTL_MS && ttlMs <= MAX_TTL_MS)) {
    throw new RangeError(`ttlMs: expected ${MIN_TTL_MS} to ${MAX_TTL_MS}, found ${ttlMs}`);
  }
}

function toHeldLease(name: string, { holder, transitions, renewedAt, durationMs }: LeaseRecord): HeldLease {
  return { name, holder, epoch: transitions + 1, expiresAt: new Date(renewedAt.getTime() + durationMs) };
}
