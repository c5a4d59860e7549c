import { Logger } from '@nestjs/common';
import { StoreUnavailableError, type DomainError, type JsonObject, type Store } from '@palisade/domain';
import { inSpan } from '@palisade/platform';
import { LeaderDuty, type LeaderTerm } from '../../leadership/leader-duty.js';
import type { Registry, RegistryChange } from '../../routing/table/registry.js';
import type { RoutingTable } from '../../routing/table/routing-table.js';
import type { ControlPlaneSettings } from '../../config/control-plane-settings.js';
import type { KubernetesApi } from '../api/kubernetes-api.js';
import { describeWatch, type KubernetesReport } from '../api/kubernetes-report.js';
import { ResourceWatch, type ResourceWatchOptions } from '../api/resource-watch.js';
import { runTogether } from '@palisade/async';
import { readPrismTenant, tenantsPath, type PrismTenant } from './prism-tenant.js';
import { TenantQueue } from './tenant-queue.js';
import { SOURCE, TenantReconciler } from './tenant-reconciler.js';
import { TenantStatusWriter } from './tenant-status-writer.js';
import { reasonOf } from './tenant-status.js';
import { TenantStatuses, type ResourceOutcome } from './tenant-statuses.js';

export interface PrismTenantsOptions {
  readonly settings: Pick<ControlPlaneSettings, 'pools' | 'routing'>;
  /** Of Kubernetes. */
  readonly namespace: string;
  readonly watch?: ResourceWatchOptions;
}

/** So often at least it is looked whether there is something to report, or to try again. */
const INTERVAL_MS = 1000;
const BATCH_SIZE = 200;
const MAX_REPORTED = 20;

/**
 * Makes the registry have the tenants that PrismTenant resources say, and tells each resource what became of it. A tenant
 * whose resource is gone is removed, also when that happened while nobody looked; nothing is removed before all resources
 * were read. What was refused is looked at again when the registry changes, once per second at most.
 */
export class PrismTenantsDuty extends LeaderDuty {
  override readonly name = 'Kubernetes tenants';
  readonly watch: ResourceWatch<PrismTenant>;
  private readonly logger = new Logger(PrismTenantsDuty.name);
  private readonly queue = new TenantQueue();
  private readonly reconciler: TenantReconciler;
  private readonly statuses: TenantStatuses;
  private readonly refusals = new Map<string, DomainError>();
  private areRefusalsDue = false;
  private isStoreAway = false;

  constructor(
    store: Store,
    private readonly registry: Registry,
    api: KubernetesApi,
    private readonly report: KubernetesReport,
    { settings, namespace, watch }: PrismTenantsOptions,
  ) {
    super();
    this.reconciler = new TenantReconciler(store.tenants, settings);
    this.statuses = new TenantStatuses(new TenantStatusWriter(api, namespace));
    const resource = { label: 'tenants', path: tenantsPath(namespace), read: readPrismTenant };
    const listener = { listed: () => this.queue.addAll(), changed: (name: string) => this.queue.add([name]) };
    this.watch = new ResourceWatch(api, resource, listener, watch);
    registry.onChange((change) => this.onRegistryChange(change));
  }

  override async run(term: LeaderTerm): Promise<void> {
    this.queue.clear();
    this.statuses.clear();
    this.refusals.clear();
    this.areRefusalsDue = false;
    await runTogether(
      term.signal,
      (signal) => this.watch.run(signal),
      (signal) => this.follow(term, signal),
    );
  }

  /** A refused one may be possible now; one of ours may have been changed by somebody else, or come back. */
  private onRegistryChange({ changed, removed }: RegistryChange): void {
    if (this.watch.isComplete) {
      const isOurs = (name: string): boolean => this.watch.objects.has(name);
      const kept = changed.filter(({ id, source }) => source === SOURCE || isOurs(id)).map(({ id }) => id);
      this.queue.add([...kept, ...removed.filter(isOurs)]);
      this.areRefusalsDue = true;
    }
  }

  private async follow(term: LeaderTerm, signal: AbortSignal): Promise<void> {
    let refusalsAt = 0;
    while (!signal.aborted) {
      if (this.areRefusalsDue && performance.now() >= refusalsAt) {
        this.areRefusalsDue = false;
        refusalsAt = performance.now() + INTERVAL_MS;
        this.queue.add(this.refusals.keys());
      }
      this.queue.add(this.statuses.takeRetries());
      await this.reconcileAndTell(term, signal);
      await this.queue.wait(INTERVAL_MS, signal);
    }
  }

  private async reconcileAndTell(term: LeaderTerm, signal: AbortSignal): Promise<void> {
    try {
      await this.reconcile(term, signal);
      await this.report.tell('tenants', this.describe(), term);
      this.noteStore(undefined);
    } catch (error) {
      if (signal.aborted) {
        return;
      }
      if (!(error instanceof StoreUnavailableError)) {
        throw error;
      }
      this.noteStore(error);
    }
  }

  private async reconcile(term: LeaderTerm, signal: AbortSignal): Promise<void> {
    if (!this.watch.isComplete || this.queue.isEmpty) {
      return;
    }
    const table = await this.registry.current();
    const names = this.queue.take(() => [...this.watch.objects.keys(), ...ownTenants(table)]).sort(this.inOrder);
    for (let at = 0; at < names.length; at += BATCH_SIZE) {
      const batch = names.slice(at, at + BATCH_SIZE);
      const attributes = { 'palisade.tenants.due': batch.length };
      await inSpan('reconcile tenants', { attributes }, () => this.reconcileAll(batch, table, term, signal));
    }
  }

  private async reconcileAll(
    names: readonly string[],
    table: RoutingTable,
    term: LeaderTerm,
    signal: AbortSignal,
  ): Promise<void> {
    const outcomes: ResourceOutcome[] = [];
    for (const name of names) {
      signal.throwIfAborted();
      term.lease();
      this.queue.done(name);
      outcomes.push(...(await this.reconcileOne(name, table)));
    }
    await this.statuses.write(outcomes, table, signal);
  }

  private async reconcileOne(name: string, table: RoutingTable): Promise<ResourceOutcome[]> {
    const resource = this.watch.objects.get(name);
    try {
      if (resource === undefined) {
        this.refusals.delete(name);
        await this.reconciler.remove(name, table);
        return [];
      }
      const outcome = await this.reconciler.apply(resource, table);
      this.noteRefusal(name, outcome.refusal);
      return [{ resource, outcome }];
    } catch (error) {
      this.queue.putBack(name);
      throw error;
    }
  }

  /** What makes room comes first; then who was there first. */
  private readonly inOrder = (a: string, b: string): number => {
    const [first, second] = [a, b].map((name) => `${this.watch.objects.get(name)?.createdAt ?? ''} ${name}`);
    return (first ?? '') < (second ?? '') ? -1 : 1;
  };

  private noteRefusal(name: string, refusal: DomainError | undefined): void {
    if (refusal === undefined) {
      this.refusals.delete(name);
      return;
    }
    if (this.refusals.get(name)?.message !== refusal.message) {
      this.logger.warn(`PrismTenant "${name}" is refused: ${refusal.message}`);
    }
    this.refusals.set(name, refusal);
  }

  private noteStore(error: StoreUnavailableError | undefined): void {
    if (error !== undefined && !this.isStoreAway) {
      this.logger.warn('what PrismTenant resources say cannot be kept', error);
    }
    this.isStoreAway = error !== undefined;
  }

  private describe(): JsonObject {
    const { objects, unreadable, health } = this.watch;
    const refused = [...this.refusals].sort(([a], [b]) => (a < b ? -1 : 1));
    const { failure } = this.statuses;
    return {
      ...describeWatch(health.snapshot),
      resources: objects.size,
      refused: refused.length,
      refusals: refused.slice(0, MAX_REPORTED).map(([tenant, refusal]) => {
        return { tenant, reason: reasonOf(refusal), message: refusal.message };
      }),
      ...(unreadable > 0 && { unreadable }),
      ...(failure !== undefined && { status_error: failure }),
    };
  }
}

function ownTenants(table: RoutingTable): string[] {
  return table
    .list({ limit: Math.max(1, table.tenantCount) })
    .filter(({ tenant }) => tenant.source === SOURCE)
    .map(({ tenant }) => tenant.id);
}
