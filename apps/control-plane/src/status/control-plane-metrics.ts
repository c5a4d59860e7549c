import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  Store,
  StoreUnavailableError,
  type JsonObject,
  type JsonValue,
  type LoadBalancerVersion,
  type ProxyHealth,
} from '@palisade/domain';
import { Metrics } from '@palisade/platform';
import { Counter, Gauge } from 'prom-client';
import { Leadership } from '../leadership/leadership.js';
import { Registry } from '../routing/table/registry.js';
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
    this.gauge('control_plane_is_leader', 'Whether this replica leads.', [], (gauge) =>
      gauge.set(this.leadership.isLeader ? 1 : 0),
    );
    this.countTerms();
    this.gauge('control_plane_registry_revision', 'Increases with each change of a tenant.', [], (gauge) =>
      gauge.set(this.registry.table.revision),
    );
    this.gauge('control_plane_tenants', 'Tenants with namespaces in the pool.', ['pool'], (gauge) =>
      this.tenants(gauge),
    );
    this.gauge('control_plane_proxies', 'Proxies of the pool.', ['pool', 'health'], (gauge) => this.proxies(gauge));
    this.gauge(
      'control_plane_component_failing',
      'Whether something is pending or failing: GET /api/v1/status says what.',
      ['component'],
      (gauge) => this.components(gauge),
    );
    this.gauge(
      'control_plane_load_balancer_change_timestamp_seconds',
      'When the last change of the load balancer was made, or failed, since 1970.',
      CHANGE_LABELS,
      (gauge) => this.lastChange(gauge, ({ at }) => at.getTime()),
    );
    this.gauge(
      'control_plane_load_balancer_change_duration_seconds',
      'How long the last change of the load balancer took.',
      CHANGE_LABELS,
      (gauge) => this.lastChange(gauge, ({ durationMs }) => durationMs),
    );
  }

  private countTerms(): void {
    const terms = new Counter({
      name: 'control_plane_leadership_terms_total',
      help: 'Times that this replica has begun to lead.',
      registers: [this.metrics.registry],
      collect: () => {
        terms.reset();
        terms.inc(this.leadership.terms);
      },
    });
  }

  private tenants(gauge: Gauge): void {
    for (const pool of this.settings.pools.keys()) {
      gauge.set({ pool }, this.registry.table.membersOf(pool).tenants);
    }
  }

  private async proxies(gauge: Gauge): Promise<void> {
    const counts = Map.groupBy(await this.store.proxies.list(), ({ pool, health }) => `${pool} ${health}`);
    for (const pool of this.settings.pools.keys()) {
      HEALTH.forEach((health) => gauge.set({ pool, health }, counts.get(`${pool} ${health}`)?.length ?? 0));
    }
  }

  private async components(gauge: Gauge): Promise<void> {
    for (const { component, detail } of await this.store.operations.statuses()) {
      gauge.set({ component }, isFailing(detail) ? 1 : 0);
    }
  }

  private async lastChange(gauge: Gauge, milliseconds: (version: LoadBalancerVersion) => number): Promise<void> {
    for (const version of await this.store.operations.listVersions({ limit: 1 })) {
      gauge.set({ method: version.method, result: version.result }, milliseconds(version) / 1000);
    }
  }

  private gauge(
    name: string,
    help: string,
    labelNames: readonly string[],
    collect: (gauge: Gauge) => void | Promise<void>,
  ): void {
    const gauge: Gauge = new Gauge({
      name,
      help,
      labelNames: [...labelNames],
      registers: [this.metrics.registry],
      collect: async () => {
        gauge.reset();
        await Promise.resolve(collect(gauge)).catch(tolerateAbsence);
      },
    });
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

function tolerateAbsence(error: unknown): void {
  if (!(error instanceof StoreUnavailableError)) {
    throw error;
  }
}
