import { Injectable } from '@nestjs/common';
import {
  Store,
  StoreUnavailableError,
  TenantNotFoundError,
  parseNamespacePattern,
  type ChangeContext,
  type NamespacePattern,
  type Proxy,
  type Tenant,
  type TenantDraft,
  type TenantId,
} from '@palisade/domain';
import type { AdminPrincipal } from '@palisade/guards';
import { FairTurns } from '@palisade/platform';
import type { ExplainedTerm } from '../routing/explain/explanation.js';
import { explainRoute } from '../routing/explain/explain-route.js';
import { servingProxies } from '../routing/table/pool-servers.js';
import { Registry } from '../routing/table/registry.js';
import { NamespaceAccess } from '../routing/namespace-access.js';
import type { RoutingTable } from '../routing/table/routing-table.js';
import type { PlacedTenant, TenantSearch } from '../routing/table/tenant-directory.js';
import { routingOf, type TenantRouting } from '../routing/table/tenant-routing.js';
import { ControlPlaneSettings } from '../config/control-plane-settings.js';
import type { TenantUse } from '../usage/tenant-use.js';
import { UsageService } from '../usage/usage.service.js';
import { requireAcceptable } from './require-acceptable.js';
import { SingleTenantError } from './tenants.errors.js';
import { chooseVersion, type VersionCondition } from './tenant-versions.js';

const SOURCE = 'api';

/** A tenant as callers see it. */
export interface TenantView {
  readonly id: TenantId;
  readonly namespacePatterns: readonly NamespacePattern[];
  /** Absent for the tenant that the configuration names. */
  readonly registered?: Tenant;
  readonly routing: TenantRouting;
  /** What applies to its namespaces, and where each comes from; absent in lists. */
  readonly settings?: readonly ExplainedTerm[];
  /** The healthy proxies of its pools; absent in lists, and while the store is unreachable. */
  readonly healthyProxies?: readonly Proxy[];
  /** Absent when no proxy reports it, after changes, and while the store is unreachable. */
  readonly use?: TenantUse;
}

export interface Registration {
  /** False when the identical tenant was registered already. */
  readonly isNew: boolean;
  readonly view: TenantView;
}

/** Who owns which namespaces. */
@Injectable()
export class TenantsService {
  constructor(
    private readonly store: Store,
    private readonly registry: Registry,
    private readonly settings: ControlPlaneSettings,
    private readonly access: NamespaceAccess,
    private readonly turns: FairTurns,
    private readonly usage: UsageService,
  ) {}

  /**
   * Registers a tenant. Doing it again changes nothing.
   *
   * @throws {SingleTenantError} {@link UnknownPoolError} {@link PoolRequiredError} {@link TenantConflictError}
   * @throws {NamespaceOverlapError} {@link TooManyPatternsError}
   */
  async register(id: TenantId, draft: TenantDraft, change: ChangeContext): Promise<Registration> {
    requireAcceptable(id, draft, this.registry.table, this.settings);
    const { registered, tenant } = await this.store.tenants.register(id, SOURCE, draft, change);
    return { isNew: registered, view: await this.viewOfStored(tenant) };
  }

  /**
   * Replaces all that was said of a tenant. When it moves to another pool, the one that it leaves drains.
   *
   * @throws {SingleTenantError} {@link UnknownPoolError} {@link PoolRequiredError} {@link TenantNotFoundError}
   * @throws {PreconditionFailedError} {@link ManagedElsewhereError} {@link NamespaceOverlapError} {@link TooManyPatternsError}
   */
  async replace(
    id: TenantId,
    draft: TenantDraft,
    change: ChangeContext,
    condition?: VersionCondition,
  ): Promise<TenantView> {
    requireAcceptable(id, draft, this.registry.table, this.settings);
    const ifVersion = await this.versionFor(id, condition);
    const options = { source: SOURCE, drainMs: this.settings.routing.drainMs, ifVersion } as const;
    return this.viewOfStored(await this.store.tenants.replace(id, draft, change, options));
  }

  /** @throws {SingleTenantError} {@link TenantNotFoundError} {@link PreconditionFailedError} {@link ManagedElsewhereError} */
  async remove(id: TenantId, change: ChangeContext, condition?: VersionCondition): Promise<void> {
    this.requireManyTenants();
    const ifVersion = await this.versionFor(id, condition);
    await this.store.tenants.remove(id, change, { source: SOURCE, ifVersion });
    await this.registry.caughtUp();
  }

  /** @throws {TenantNotFoundError} */
  async get(admin: AdminPrincipal, id: TenantId): Promise<TenantView> {
    const table = await this.registry.current();
    const view = this.find(table, id);
    if (view === undefined) {
      throw new TenantNotFoundError(id);
    }
    this.access.requireTenant(admin, id, view.namespacePatterns);
    const [complete, uses] = await Promise.all([this.complete(table, view), this.usage.tenants().catch(ignoreAbsence)]);
    return { ...complete, use: uses?.get(id) };
  }

  /** Tenants that the caller may see, in order of id; one more than `limit` if there are. */
  list(admin: AdminPrincipal, search: TenantSearch): Promise<TenantView[]> {
    return this.turns.runForCaller(async () => {
      const views = this.listIn(await this.registry.current(), admin, search);
      const uses = await this.usage.tenants().catch(ignoreAbsence);
      return views.map((view) => ({ ...view, use: uses?.get(view.id) }));
    });
  }

  private listIn(table: RoutingTable, admin: AdminPrincipal, search: TenantSearch): TenantView[] {
    const limit = search.limit + 1;
    if (table.finder.only !== undefined) {
      return this.onlyTenant(table).filter(
        (view) => this.access.seesTenant(admin, view.namespacePatterns) && isSearched(view, search),
      );
    }
    return admin.namespaces === '*'
      ? table.list({ ...search, limit }).map((placed) => viewOf(table, placed))
      : this.ownedBy(table, admin)
          .filter((view) => isSearched(view, search))
          .slice(0, limit);
  }

  private find(table: RoutingTable, id: TenantId): TenantView | undefined {
    const only = this.onlyTenant(table).find((view) => view.id === id);
    const placed = table.find(id);
    return only ?? (placed && viewOf(table, placed));
  }

  /** The tenants of an admin's namespaces, in order of id. */
  private ownedBy(table: RoutingTable, admin: AdminPrincipal): TenantView[] {
    const namespaces = admin.namespaces === '*' ? [] : admin.namespaces;
    const ids = new Set(namespaces.flatMap((namespace) => table.ownerOf(namespace)?.tenant ?? []));
    return [...ids]
      .sort()
      .flatMap((id) => table.find(id) ?? [])
      .map((placed) => viewOf(table, placed))
      .filter((view) => this.access.seesTenant(admin, view.namespacePatterns));
  }

  /** The tenant that the configuration names, where it names one. */
  private onlyTenant({ finder: { only }, configuration }: RoutingTable): TenantView[] {
    if (only?.tenant === undefined) {
      return [];
    }
    const { tenant, pool, deployment, isolationLevel, connectionPools, resourceLimits, chosenBy } = only;
    const { model } = configuration.deployment;
    const routing = { model, deployment, pools: [pool], isolationLevel, connectionPools, resourceLimits, chosenBy };
    return [{ id: tenant, namespacePatterns: [parseNamespacePattern('*')], routing }];
  }

  private async viewOfStored(tenant: Tenant): Promise<TenantView> {
    const table = await this.registry.caughtUp();
    return this.complete(table, viewOf(table, table.place(tenant)));
  }

  /** While the store is unreachable, where requests go is still known, but not which proxies take them. */
  private async complete(table: RoutingTable, view: TenantView): Promise<TenantView> {
    const proxies = await this.store.proxies.list().catch(ignoreAbsence);
    const healthyProxies = proxies && servingProxies(proxies, view.routing.pools);
    const settings = explainRoute(table, { tenant: { id: view.id } }).terms;
    return { ...view, settings, ...(healthyProxies !== undefined && { healthyProxies }) };
  }

  private async versionFor(id: TenantId, condition: VersionCondition | undefined): Promise<number | undefined> {
    return condition && chooseVersion(condition, (await this.store.tenants.find(id))?.version);
  }

  private requireManyTenants(): void {
    if (this.registry.table.finder.only !== undefined) {
      throw new SingleTenantError();
    }
  }
}

function ignoreAbsence(error: unknown): undefined {
  if (!(error instanceof StoreUnavailableError)) {
    throw error;
  }
}

function viewOf(table: RoutingTable, placed: PlacedTenant): TenantView {
  const { id, namespacePatterns } = placed.tenant;
  return { id, namespacePatterns, registered: placed.tenant, routing: routingOf(table, placed) };
}

function isSearched({ id, routing }: TenantView, { pool, after }: TenantSearch): boolean {
  return (pool === undefined || routing.pools.includes(pool)) && (after === undefined || id > after);
}
