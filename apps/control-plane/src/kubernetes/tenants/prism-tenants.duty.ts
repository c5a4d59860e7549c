import type { DomainError, JsonObject, Store } from '@palisade/domain';
import { inSpan } from '@palisade/platform';
import { PeriodicDuty, type LeaderTerm } from '../../leadership/leader-duty.js';
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
import { reasonOf } from './tenant-status.js';
import { TenantStatuses, type ResourceOutcome } from './tenant-statuses.js';

export interface PrismTenantsOptions {
  readonly settings: Pick<ControlPlaneSettings, 'pools' | 'routing' | 'compliance'>;
  /** The namespace of Kubernetes. */
  readonly namespace: string;
  readonly watch?: ResourceWatchOptions;
}

/** A round runs at least this often: something may have to be reported, or tried again. */
const INTERVAL_MS = 1000;
const BATCH_SIZE = 200;
const MAX_REPORTED = 20;

/**
 * Keeps the tenants in the registry equal to the PrismTenant resources, and tells each resource the outcome in its status. A
 * tenant whose resource is gone is removed, also when that happened while no replica led; nothing is removed before all
 * resources were read. Rejected resources are tried again when the registry changes, once per second at most.
 */
export class PrismTenantsDuty extends PeriodicDuty {
  override readonly name = 'Kubernetes tenants';
  readonly watch: ResourceWatch<PrismTenant>;
  private readonly queue = new TenantQueue();
  private readonly reconciler: TenantReconciler;
  private readonly statuses: TenantStatuses;
  private readonly rejected = new Map<string, DomainError>();
  private areRejectedDue = false;

  constructor(
    store: Store,
    private readonly registry: Registry,
    api: KubernetesApi,
    private readonly report: KubernetesReport,
    { settings, namespace, watch }: PrismTenantsOptions,
  ) {
    super();
    this.reconciler = new TenantReconciler(store.tenants, settings);
    this.statuses = new TenantStatuses(api, namespace);
    const resource = { label: 'tenants', path: tenantsPath(namespace), read: readPrismTenant };
    const listener = { listed: () => this.queue.addAll(), changed: (name: string) => this.queue.add([name]) };
    this.watch = new ResourceWatch(api, resource, listener, watch);
    registry.onChange((change) => this.onRegistryChange(change));
  }

  override async run(term: LeaderTerm): Promise<void> {
    this.queue.clear();
    this.statuses.clear();
    this.rejected.clear();
    this.areRejectedDue = false;
    await runTogether(
      term.signal,
      (signal) => this.watch.run(signal),
      (signal) => this.follow(term, signal),
    );
  }

  /** A rejected resource may be acceptable now; somebody else may have changed one of our tenants, or brought it back. */
  private onRegistryChange({ changed, removed }: RegistryChange): void {
    if (this.watch.isComplete) {
      const isOurs = (name: string): boolean => this.watch.objects.has(name);
      const kept = changed.filter(({ id, source }) => source === SOURCE || isOurs(id)).map(({ id }) => id);
      this.queue.add([...kept, ...removed.filter(isOurs)]);
      this.areRejectedDue = true;
    }
  }

  private async follow(term: LeaderTerm, signal: AbortSignal): Promise<void> {
    let rejectedAt = 0;
    const reconcile = async (): Promise<void> => {
      if (this.areRejectedDue && performance.now() >= rejectedAt) {
        this.areRejectedDue = false;
        rejectedAt = performance.now() + INTERVAL_MS;
        this.queue.add(this.rejected.keys());
      }
      this.queue.add(this.statuses.takeRetries());
      await this.reconcile(term, signal);
      await this.report.tell('tenants', this.describe(), term);
    };
    await this.repeat(signal, reconcile, () => this.queue.wait(INTERVAL_MS, signal));
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
        this.rejected.delete(name);
        await this.reconciler.remove(name, table);
        return [];
      }
      const outcome = await this.reconciler.apply(resource, table);
      this.noteRejection(name, outcome.rejection);
      return [{ resource, outcome }];
    } catch (error) {
      this.queue.putBack(name);
      throw error;
    }
  }

  /** Removals come first, as they make room; then the oldest resources. */
  private readonly inOrder = (a: string, b: string): number => {
    const [first, second] = [a, b].map((name) => `${this.watch.objects.get(name)?.createdAt ?? ''} ${name}`);
    return (first ?? '') < (second ?? '') ? -1 : 1;
  };

  private noteRejection(name: string, rejection: DomainError | undefined): void {
    if (rejection === undefined) {
      this.rejected.delete(name);
      return;
    }
    if (this.rejected.get(name)?.message !== rejection.message) {
      this.logger.warn(`PrismTenant "${name}" is rejected: ${rejection.message}`);
    }
    this.rejected.set(name, rejection);
  }

  private describe(): JsonObject {
    const { objects, unreadable, health } = this.watch;
    const rejected = [...this.rejected].sort(([a], [b]) => (a < b ? -1 : 1));
    const { failure } = this.statuses;
    return {
      ...describeWatch(health.snapshot),
      resources: objects.size,
      rejected: rejected.length,
      rejections: rejected.slice(0, MAX_REPORTED).map(([tenant, rejection]) => {
        return { tenant, reason: reasonOf(rejection), message: rejection.message };
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
