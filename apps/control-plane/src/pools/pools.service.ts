import { Injectable } from '@nestjs/common';
import { Store, type PoolName, type Proxy } from '@palisade/domain';
import { Registry } from '../routing/table/registry.js';
import type { RoutingTable } from '../routing/table/routing-table.js';
import { ControlPlaneSettings, type PoolDefinition } from '../config/control-plane-settings.js';
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
}

/** The pools of the configuration. */
@Injectable()
export class PoolsService {
  constructor(
    private readonly store: Store,
    private readonly registry: Registry,
    private readonly settings: ControlPlaneSettings,
  ) {}

  /** In order of name. */
  async list(): Promise<PoolView[]> {
    const [table, proxies] = await Promise.all([this.registry.current(), this.store.proxies.list()]);
    const byPool = Map.groupBy(proxies, ({ pool }) => pool);
    return [...this.settings.pools.values()]
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .map((definition) => viewOf(table, definition, byPool.get(definition.name) ?? []));
  }

  /** @throws {PoolNotFoundError} */
  async get(name: PoolName): Promise<PoolView> {
    const definition = this.settings.pools.get(name);
    if (definition === undefined) {
      throw new PoolNotFoundError(name);
    }
    const [table, proxies] = await Promise.all([this.registry.current(), this.store.proxies.list()]);
    return viewOf(
      table,
      definition,
      proxies.filter(({ pool }) => pool === name),
    );
  }
}

function viewOf(table: RoutingTable, definition: PoolDefinition, proxies: readonly Proxy[]): PoolView {
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
