import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  type JsonObject,
  type JsonValue,
  type LoadBalancerVersion,
  type PoolName,
  type Proxy,
  type ProxyHealth,
  Store,
} from '@palisade/domain';
import { Metrics, type Samples } from '@palisade/platform';
import { Leadership } from '../leadership/leadership.js';
import { Registry } from '../routing/table/registry.js';
import { POLICY_STATES, policyStateOf, revisionsBehind } from '../routing/table/governed-proxies.js';
import { ControlPlaneSettings } from '../config/control-plane-settings.js';

const HEALTH = ['unknown', 'healthy', 'unhealthy'] as const satisfies readonly ProxyHealth[];
const CHANGE_LABELS = ['method', 'result'];

/**
 * What Prometheus sees of the control plane. Labels are pools and components of the configuration, so clients cannot make
 * more series. While the store is unreachable, what comes from it is left out.
 */
@Injectable()
export class ControlPlaneMetrics implements OnModuleInit {
  constructor(
    private readonly metrics: Metrics,
    private readonly store: Store,
    private readonly registry: Registry,
    private readonly leadership: Leadership,
    private readonly settings: ControlPlaneSettings,
  ) {}

  onModuleInit(): void {
    const { metrics, store, leadership, registry } = this;
    metrics.gauge({
      name: 'control_plane_is_leader',
      help: 'Whether this replica leads.',
      read: () => Number(leadership.isLeader),
    });
    metrics.counter({
      name: 'control_plane_leadership_terms_total',
      help: 'Times that this replica has begun to lead.',
      read: () => leadership.terms,
    });
    metrics.gauge({
      name: 'control_plane_registry_revision',
      help: 'Increases with each change of a tenant.',
      read: () => registry.table.revision,
    });
    metrics.gauge({
      name: 'control_plane_tenants',
      help: 'Tenants with namespaces in the pool.',
      labelNames: ['pool'],
      read: () => this.pools().map((pool) => [{ pool }, registry.table.membersOf(pool).tenants] as const),
    });
    metrics.gauge({
      name: 'control_plane_proxies',
      help: 'Proxies of the pool.',
      labelNames: ['pool', 'health'],
      read: () => this.proxies(),
    });
    metrics.gauge({
      name: 'control_plane_policy_proxies',
      help: 'Proxies of the pool by how they enforce its policy: current, behind, rejected, stale, unmanaged.',
      labelNames: ['pool', 'state'],
      read: () => this.policies(),
    });
    metrics.gauge({
      name: 'control_plane_policy_lag_revisions',
      help: 'Revisions that the proxy of the pool that is furthest behind has still to apply.',
      labelNames: ['pool'],
      read: () => this.furthest((proxy) => revisionsBehind(proxy, registry.table.revision)),
    });
    metrics.gauge({
      name: 'control_plane_policy_age_seconds',
      help: 'How long the proxy of the pool that is longest without the control plane had not heard of it at its last heartbeat.',
      labelNames: ['pool'],
      read: () => this.furthest(({ policy }) => policy?.age_seconds),
    });
    metrics.gauge({
      name: 'control_plane_component_failing',
      help: 'Whether something is pending or failing: GET /api/v1/status says what.',
      labelNames: ['component'],
      read: async () => {
        const statuses = await store.operations.statuses();
        return statuses.map(({ component, detail }) => [{ component }, Number(isFailing(detail))] as const);
      },
    });
    metrics.gauge({
      name: 'control_plane_load_balancer_change_timestamp_seconds',
      help: 'When the last change of the load balancer was made, or failed, since 1970.',
      labelNames: CHANGE_LABELS,
      read: () => this.lastChange(({ at }) => at.getTime()),
    });
    metrics.gauge({
      name: 'control_plane_load_balancer_change_duration_seconds',
      help: 'How long the last change of the load balancer took.',
      labelNames: CHANGE_LABELS,
      read: () => this.lastChange(({ durationMs }) => durationMs),
    });
  }

  private pools(): readonly PoolName[] {
    return [...this.settings.pools.keys()];
  }

  private async proxies(): Promise<Samples> {
    const counts = Map.groupBy(await this.store.proxies.list(), ({ pool, health }) => `${pool} ${health}`);
    return this.pools().flatMap((pool) =>
      HEALTH.map((health) => [{ pool, health }, counts.get(`${pool} ${health}`)?.length ?? 0] as const),
    );
  }

  private async policies(): Promise<Samples> {
    const { revision } = this.registry.table;
    const states = Map.groupBy(
      await this.store.proxies.list(),
      (proxy) => `${proxy.pool} ${policyStateOf(proxy, revision)}`,
    );
    return this.pools().flatMap((pool) =>
      POLICY_STATES.map((state) => [{ pool, state }, states.get(`${pool} ${state}`)?.length ?? 0] as const),
    );
  }

  /** The highest value in each pool, 0 where no proxy has one. */
  private async furthest(valueOf: (proxy: Proxy) => number | undefined): Promise<Samples> {
    const byPool = Map.groupBy(await this.store.proxies.list(), ({ pool }) => pool);
    return this.pools().map((pool) => {
      const values = (byPool.get(pool) ?? []).map((proxy) => valueOf(proxy) ?? 0);
      return [{ pool }, Math.max(0, ...values)] as const;
    });
  }

  private async lastChange(milliseconds: (version: LoadBalancerVersion) => number): Promise<Samples> {
    const versions = await this.store.operations.listVersions({ limit: 1 });
    return versions.map((version) => [
      { method: version.method, result: version.result },
      milliseconds(version) / 1000,
    ]);
  }
}

const FAILED_RESULTS: ReadonlySet<unknown> = new Set(['rejected', 'rolled_back', 'failed']);
const FAILING_STATES: ReadonlySet<unknown> = new Set(['pending', 'failing']);
const MAX_DEPTH = 6;

/** Wherever in its status a component says it: an error, something pending or failing, a change that was not made. */
function isFailing(detail: JsonValue, depth = 0): boolean {
  if (typeof detail !== 'object' || detail === null || depth > MAX_DEPTH) {
    return false;
  }
  if (Array.isArray(detail)) {
    return detail.some((item) => isFailing(item, depth + 1));
  }
  const { error, pending, state, result } = detail as JsonObject;
  return (
    (error !== undefined && error !== null) ||
    (Array.isArray(pending) ? pending.length > 0 : Boolean(pending)) ||
    FAILING_STATES.has(state) ||
    FAILED_RESULTS.has(result) ||
    Object.values(detail).some((value) => isFailing(value, depth + 1))
  );
}
