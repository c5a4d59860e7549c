import {
  StoreUnavailableError,
  type LogRecord,
  type LoadBalancerVersion,
  type Proxy,
  type ReloadRequest,
  type Store,
} from '@palisade/domain';
import { Backoff, Wakeup } from '@palisade/async';
import { ComponentReport } from '../leadership/component-report.js';
import { PeriodicDuty, type LeaderTerm } from '../leadership/leader-duty.js';
import type { Registry } from '../routing/table/registry.js';
import type { HealthSettings } from '../config/control-plane-settings.js';
import type { DesiredState, OverdueTenant } from '../routing/table/desired-state.js';
import { leaderOfTerm } from './files/leader.js';
import { COMPONENT, toReport } from './load-balancer-report.js';
import type { LoadBalancer } from './load-balancer.js';

export interface LoadBalancerDutyOptions {
  readonly health: Pick<HealthSettings, 'panicThresholdPercent'>;
  /** How long a tenant waits until the proxies of the pool that it goes to know it. */
  readonly policyWaitMs: number;
  readonly driftIntervalMs: number;
}

/** Changes of proxies and requests for a reload are seen after this time; changes of tenants wake the duty at once. */
const POLL_INTERVAL_MS = 250;
/** While a tenant waits for proxies. */
const WAITING_INTERVAL_MS = 50;
const RETRY = { minMs: 2000, maxMs: 60_000 };
const ACTOR = 'control-plane';

/**
 * Makes the load balancer follow the registry and the health of proxies, repairs drift, and answers requests for a reload. A
 * change that failed is tried again with growing pauses, and at once when something else changes.
 */
export class LoadBalancerDuty extends PeriodicDuty {
  override readonly name = 'load balancer';
  private readonly wakeup = new Wakeup();
  private readonly backoff = new Backoff(RETRY);
  private readonly report: ComponentReport;
  private tried = '';
  /** Tenants that the next version does not wait for. */
  private readonly overdue: OverdueTenant[] = [];
  /** When to try the last change again; undefined when it has succeeded. */
  private retryAt: number | undefined;
  private driftAt = 0;
  /** Whether there was nothing to do in the last round. */
  private wasIdle = true;
  /** The last version, until the store has it. */
  private unrecorded: { readonly version: LoadBalancerVersion; isLogged: boolean } | undefined;

  constructor(
    private readonly store: Store,
    private readonly registry: Registry,
    private readonly loadBalancer: LoadBalancer,
    private readonly options: LoadBalancerDutyOptions,
  ) {
    super();
    this.report = new ComponentReport(store.operations, COMPONENT);
    registry.onChange(() => this.wakeup.wake());
  }

  override async run(term: LeaderTerm): Promise<void> {
    this.loadBalancer.lead(leaderOfTerm(term, this.store.leases));
    this.tried = '';
    this.succeeded();
    this.driftAt = performance.now() + this.options.driftIntervalMs;
    const wait = (): Promise<void> =>
      this.wakeup.wait(this.registry.table.isWaiting ? WAITING_INTERVAL_MS : POLL_INTERVAL_MS, term.signal);
    try {
      await this.repeat(term.signal, () => this.follow(term), wait);
    } finally {
      await this.loadBalancer.settle();
    }
  }

  private async follow(term: LeaderTerm): Promise<void> {
    await this.recordLate(term);
    const [table, proxies, requests] = await Promise.all([
      this.registry.current(),
      this.store.proxies.list(),
      this.store.operations.pendingReloads(),
    ]);
    const wanted = `${table.revision} ${JSON.stringify(proxies.map(relevantPart))}`;
    const { admitted, overdue } = table.admit(proxies, this.options.policyWaitMs);
    this.overdue.push(...overdue);
    if (admitted > 0) {
      this.tried = '';
    }
    const now = performance.now();
    const isDue = wanted !== this.tried || (this.retryAt !== undefined && now >= this.retryAt);
    if (requests.length > 0 || isDue) {
      const state = await table.desiredState(proxies, this.options.health);
      const version = await this.change({ ...state, overdue: this.overdue.splice(0) }, requests, term);
      this.note(version, wanted);
    } else {
      this.wasIdle = true;
      if (now >= this.driftAt && this.retryAt === undefined) {
        await this.repairDrift(await table.desiredState(proxies, this.options.health), term);
      }
    }
    await this.report.tell(toReport(this.loadBalancer.status()), term);
  }

  private async change(
    state: DesiredState,
    requests: readonly ReloadRequest[],
    term: LeaderTerm,
  ): Promise<LoadBalancerVersion> {
    term.lease();
    const isAsked = requests.length > 0;
    const actor = isAsked ? [...new Set(requests.map((request) => request.actor))].join(', ') : ACTOR;
    const change = isAsked ? this.loadBalancer.reload(state, actor) : this.loadBalancer.apply(state, actor);
    // The first of several changes is made at once; those that follow are made together.
    await (this.wasIdle ? this.loadBalancer.settle() : undefined);
    this.wasIdle = false;
    const version = await change;
    if (isAsked || version.result !== 'unchanged' || (await this.lastRecordedFailed())) {
      await this.record(version, term);
    }
    if (isAsked) {
      const ids = requests.map(({ id }) => id);
      await this.store.operations.answerReloads(ids, version.id, term.lease());
    }
    return version;
  }

  /** Whether the recorded version, perhaps of an earlier leader, says that the load balancer is not up to date. */
  private async lastRecordedFailed(): Promise<boolean> {
    const [last] = await this.store.operations.listVersions({ limit: 1 });
    return last !== undefined && !isSuccess(last);
  }

  private async record(version: LoadBalancerVersion, term: LeaderTerm): Promise<void> {
    this.unrecorded = { version, isLogged: false };
    await this.recordLate(term);
  }

  /** Records the action first: it was done, even if another replica leads by now. */
  private async recordLate(term: LeaderTerm): Promise<void> {
    const late = this.unrecorded;
    if (late === undefined) {
      return;
    }
    try {
      if (!late.isLogged) {
        await this.store.log.append([toLogRecord(late.version)]);
        late.isLogged = true;
      }
      await this.store.operations.recordVersion(late.version, term.lease());
    } catch (error) {
      this.unrecorded = error instanceof StoreUnavailableError ? late : undefined;
      throw error;
    }
    this.unrecorded = undefined;
  }

  /** A change that failed is tried again after a pause; another state is tried at once. */
  private note({ result, reason, method }: LoadBalancerVersion, wanted: string): void {
    this.tried = wanted;
    if (isSuccess({ result })) {
      this.succeeded();
      return;
    }
    this.retryAt = performance.now() + this.backoff.next();
    this.logger.error(
      `a change of the load balancer (${method}) ended as ${result.replace('_', ' ')}: ${reason ?? 'no reason given'}`,
    );
  }

  private succeeded(): void {
    this.retryAt = undefined;
    this.backoff.reset();
  }

  private async repairDrift(state: DesiredState, term: LeaderTerm): Promise<void> {
    const drifts = await this.loadBalancer.detectDrift(state);
    this.driftAt = performance.now() + this.options.driftIntervalMs;
    if (drifts.length > 0) {
      this.logger.warn(`the load balancer has drifted: ${drifts.map(({ detail }) => detail).join('; ')}`);
      await this.report.tell(toReport(this.loadBalancer.status()), term);
      const version = await this.loadBalancer.apply(state, ACTOR);
      await this.record(version, term);
      this.note(version, this.tried);
      if (isSuccess(version)) {
        // So that the status does not show drift that is repaired until the next search.
        await this.loadBalancer.detectDrift(state);
      }
    }
  }
}

function isSuccess({ result }: Pick<LoadBalancerVersion, 'result'>): boolean {
  return result === 'applied' || result === 'unchanged';
}

function toLogRecord(version: LoadBalancerVersion): LogRecord {
  const { id, revision, epoch, hash, type, method, result, reason, actor, at, durationMs } = version;
  return {
    timestamp: at,
    userId: actor,
    action: 'loadbalancer.apply',
    resource: `loadbalancer:${type}`,
    result: isSuccess({ result }) ? 'success' : 'failure',
    detail: {
      id,
      revision,
      epoch: epoch ?? null,
      hash,
      method,
      outcome: result,
      reason: reason ?? null,
      duration_ms: durationMs,
    },
  };
}

/** The fields of a proxy that the load balancer depends on. */
function relevantPart({ id, pool, host, port, weight, isDraining, health }: Proxy): unknown[] {
  return [id, pool, host, port, weight, isDraining, health];
}
