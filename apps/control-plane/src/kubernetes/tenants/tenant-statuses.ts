import { Logger } from '@nestjs/common';
import type { RoutingTable } from '../../routing/table/routing-table.js';
import { KubernetesError } from '../api/kubernetes.errors.js';
import { Backoff, mapParallel } from '@palisade/async';
import type { KubernetesApi } from '../api/kubernetes-api.js';
import { tenantPath, type PrismTenant, type PrismTenantStatus } from './prism-tenant.js';
import type { Outcome } from './tenant-reconciler.js';
import { isSameStatus, statusOf } from './tenant-status.js';

export interface ResourceOutcome {
  readonly resource: PrismTenant;
  readonly outcome: Outcome;
}

const RETRY = { minMs: 500, maxMs: 30_000, random: Math.random };
/** Concurrent writes. */
const MAX_WRITES = 8;
const FIELD_MANAGER = 'palisade';

/**
 * Writes outcomes into the status of resources. A status that could not be written is due again later; while none can be
 * written, no attempts are made.
 */
export class TenantStatuses {
  private readonly logger = new Logger(TenantStatuses.name);
  private readonly backoff = new Backoff(RETRY);
  private unwritten = new Set<string>();
  private retryAt = 0;
  private lastFailure: string | undefined;

  constructor(
    private readonly api: KubernetesApi,
    private readonly namespace: string,
  ) {}

  /** Why the last status could not be written; undefined when all were. */
  get failure(): string | undefined {
    return this.lastFailure;
  }

  clear(): void {
    this.unwritten.clear();
    this.retryAt = 0;
    this.lastFailure = undefined;
    this.backoff.reset();
  }

  /** The names of resources whose status is to be written again now. */
  takeRetries(): readonly string[] {
    if (performance.now() < this.retryAt) {
      return [];
    }
    const names = [...this.unwritten];
    this.unwritten.clear();
    return names;
  }

  /** Never fails because of the API server. Writes that the signal interrupts are not tried again. */
  async write(outcomes: readonly ResourceOutcome[], table: RoutingTable, signal: AbortSignal): Promise<void> {
    await mapParallel(outcomes, MAX_WRITES, async (next) => {
      if (signal.aborted) {
        return;
      }
      if (performance.now() < this.retryAt) {
        this.unwritten.add(next.resource.name);
      } else {
        await this.writeOne(next, table, signal);
      }
    });
    if (this.unwritten.size === 0) {
      this.lastFailure = undefined;
      this.backoff.reset();
    } else if (performance.now() >= this.retryAt) {
      this.retryAt = performance.now() + this.backoff.next();
    }
  }

  private async writeOne({ resource, outcome }: ResourceOutcome, table: RoutingTable, signal: AbortSignal) {
    try {
      await writeStatus(this.api, this.namespace, resource, statusOf(resource, outcome, table, new Date()), signal);
    } catch (error) {
      if (signal.aborted) {
        return;
      }
      if (!(error instanceof KubernetesError)) {
        throw error;
      }
      this.unwritten.add(resource.name);
      this.note(error);
    }
  }

  /** After a failure that concerns all resources, nothing is written for a while. */
  private note(error: KubernetesError): void {
    if (this.lastFailure === undefined) {
      this.logger.warn(`the status of a PrismTenant cannot be written: ${error.message}`);
    }
    this.lastFailure = error.message;
    const concernsAll = error.isPassing || error.status === 401 || error.status === 403;
    if (concernsAll && performance.now() >= this.retryAt) {
      this.retryAt = performance.now() + this.backoff.next(error.retryAfterMs);
    }
  }
}

/**
 * Writes the status where it has changed. A resource that is gone, or has changed since it was read, is skipped: the watch
 * reports it, and it is reconciled again.
 *
 * @returns whether something was written
 * @throws {KubernetesError}
 */
export async function writeStatus(
  api: KubernetesApi,
  namespace: string,
  { name, resourceVersion, status: before }: PrismTenant,
  status: PrismTenantStatus,
  signal: AbortSignal,
): Promise<boolean> {
  if (isSameStatus(before, status)) {
    return false;
  }
  // The API server rejects the change when the resource has another version by now.
  const body = { metadata: { resourceVersion }, status };
  const path = tenantPath(namespace, name, 'status');
  try {
    await api.request({ method: 'PATCH', path, query: { fieldManager: FIELD_MANAGER }, body }, signal);
    return true;
  } catch (error) {
    if (error instanceof KubernetesError && (error.isConflict || error.isNotFound)) {
      return false;
    }
    throw error;
  }
}
