import { Logger } from '@nestjs/common';
import type { RoutingTable } from '../../routing/table/routing-table.js';
import { KubernetesError } from '../api/kubernetes.errors.js';
import { Backoff, mapParallel } from '@palisade/async';
import type { PrismTenant } from './prism-tenant.js';
import type { Outcome } from './tenant-reconciler.js';
import { statusOf } from './tenant-status.js';
import type { TenantStatusWriter } from './tenant-status-writer.js';

export interface ResourceOutcome {
  readonly resource: PrismTenant;
  readonly outcome: Outcome;
}

const RETRY = { minMs: 500, maxMs: 30_000, random: Math.random };
/** Concurrent writes. */
const MAX_WRITES = 8;

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

  constructor(private readonly writer: TenantStatusWriter) {}

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
      await this.writer.write(resource, (current) => statusOf(current, outcome, table, new Date()), signal);
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
