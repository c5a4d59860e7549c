import { Injectable } from '@nestjs/common';
import { Store, type PoolName, type Proxy } from '@palisade/domain';
import { Registry } from '../routing/table/registry.js';
import type { RoutingTable } from '../routing/table/routing-table.js';
import { ControlPlaneSettings, type PoolDefinition } from '../config/control-plane-settings.js';
import type { UsageSum } from '../usage/usage-sum.js';
import { UsageService, type CapUse } from '../usage/usage.service.js';
import { PoolNotFoundError } from './pools.errors.js';

/** A pool with what it has now. */
export interface PoolView {
  readonly definition: PoolDefinition;
  /** The revision that its proxies should enforce. */
  readonly revision: number;
  /** In order of id. */
  readonly proxies: readonly Proxy[];
  /** Tenants with namespaces there. */
  readonly tenants: number;
  /** Names and patterns that lead there, of those tenants and of `namespace_routing`. */
  readonly namespaces: number;
  /** What all of its namespaces use; undefined when no proxy reports it. */
  readonly use: UsageSum | undefined;
  /** In order of backend. */
  readonly caps: readonly CapUse[];
}

/** The pools of the configuration. */
@Injectable()
export class PoolsService {
  constructor(
    private readonly store: Store,
    private readonly registry: Registry,
    private readonly settings: ControlPlaneSettings,
    private readonly usage: UsageService,
  ) {}

  /** In order of name. */
  async list(): Promise<PoolView[]> {
    const view = await this.views();
    return [...this.settings.pools.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1)).map(view);
  }

  /** @throws {PoolNotFoundError} */
  async get(name: PoolName): Promise<PoolView> {
    const definition = this.settings.pools.get(name);
    if (definition === undefined) {
      throw new PoolNotFoundError(name);
    }
    return (await this.views())(definition);
  }

  private async views(): Promise<(definition: PoolDefinition) => PoolView> {
    const { registry, store, usage } = this;
    const [table, proxies, uses, caps] = await Promise.all([
      registry.current(),
      store.proxies.list(),
      usage.pools(),
      usage.capUses(),
    ]);
    const byPool = Map.groupBy(proxies, ({ pool }) => pool);
    const capsByPool = Map.groupBy(caps, ({ pool }) => pool);
    return (definition) => ({
      ...viewOf(table, definition, byPool.get(definition.name) ?? []),
      use: uses.get(definition.name),
      caps: capsByPool.get(definition.name) ?? [],
    });
  }
}

function viewOf(
  table: RoutingTable,
  definition: PoolDefinition,
  proxies: readonly Proxy[],
): Omit<PoolView, 'use' | 'caps'> {
  const { tenants, patterns } = table.membersOf(definition.name);
  const namespaces = patterns + table.finder.routes.patternsTo(definition.name);
  return {
    definition,
    revision: table.revision,
    proxies,
    tenants: table.finder.only === undefined ? tenants : 1,
    namespaces,
  };
}
