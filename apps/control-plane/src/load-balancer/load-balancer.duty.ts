import { Logger } from '@nestjs/common';
import {
  StoreUnavailableError,
  type ActionRecord,
  type LoadBalancerVersion,
  type Proxy,
  type ReloadRequest,
  type Store,
} from '@palisade/domain';
import { Wakeup } from '@palisade/async';
import { LeaderDuty, type LeaderTerm } from '../leadership/leader-duty.js';
import type { Registry } from '../routing/table/registry.js';
import type { HealthSettings } from '../config/control-plane-settings.js';
import type { DesiredState } from '../routing/table/desired-state.js';
import { leaderOfTerm } from './files/leader.js';
import { COMPONENT, toReport } from './load-balancer-report.js';
import type { LoadBalancer } from './load-balancer.js';

export interface LoadBalancerDutyOptions {
  readonly health: Pick<HealthSettings, 'panicThresholdPercent'>;
  readonly driftIntervalMs: number;
}

/** How soon changes of proxies and requests for a reload are seen; changes of tenants wake the duty at once. */
const POLL_INTERVAL_MS = 250;
const MIN_RETRY_MS = 2000;
const MAX_RETRY_MS = 60_000;
const ACTOR = 'control-plane';

/**
 * Has the load balancer follow the registry and the health of proxies, repairs what somebody else has changed, and answers
 * requests for a reload. What failed is tried again with growing pauses, and at once when something else changes.
 */
export class LoadBalancerDuty extends LeaderDuty {
  override readonly name = 'load balancer';
  private readonly logger = new Logger(LoadBalancerDuty.name);
  private readonly wakeup = new Wakeup();
  private tried = '';
  private failures = 0;
  private retryAt = 0;
  private driftAt = 0;
  /** Whether there was nothing to do the last time. */
  private wasIdle = true;
  /** Of the last version, while the store could not be reached. */
  private unrecorded: { readonly version: LoadBalancerVersion; isAudited: boolean } | undefined;

  constructor(
    private readonly store: Store,
    private readonly registry: Registry,
    private readonly loadBalancer: LoadBalancer,
    private readonly options: LoadBalancerDutyOptions,
  ) {
    super();
    registry.onChange(() => this.wakeup.wake());
  }

  override async run(term: LeaderTerm): Promise<void> {
    this.loadBalancer.lead(leaderOfTerm(term, this.store.leases));
    this.tried = '';
    this.failures = 0;
    this.driftAt = performance.now() + this.options.driftIntervalMs;
    try {
      while (!term.signal.aborted) {
        await this.followOnce(term);
        await this.wakeup.wait(POLL_INTERVAL_MS, term.signal);
      }
    } finally {
      await this.loadBalancer.settle();
    }
  }

  /** While the store is away the load balancer stays as it is. */
  private async followOnce(term: LeaderTerm): Promise<void> {
    try {
      await this.follow(term);
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) {
        throw error;
      }
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
    const now = performance.now();
    const isDue = wanted !== this.tried || (this.failures > 0 && now >= this.retryAt);
    if (requests.length > 0 || isDue) {
      const state = await table.desiredState(proxies, this.options.health);
      const version = await this.change(state, requests, term);
      this.note(version, wanted);
    } else {
      this.wasIdle = true;
      if (now >= this.driftAt && this.failures === 0) {
        await this.repairDrift(await table.desiredState(proxies, this.options.health), term);
      }
    }
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
    // Of several changes in a row the first one is made at once; those after it are made together.
    await (this.wasIdle ? this.loadBalancer.settle() : undefined);
    this.wasIdle = false;
    const version = await change;
    if (isAsked || version.result !== 'unchanged') {
      await this.record(version, term);
    }
    if (isAsked) {
      const ids = requests.map(({ id }) => id);
      await this.store.operations.answerReloads(ids, version.id, term.lease());
    }
    return version;
  }

  private async record(version: LoadBalancerVersion, term: LeaderTerm): Promise<void> {
    this.unrecorded = { version, isAudited: false };
    await this.recordLate(term);
  }

  /** The action first: it was done, whoever leads by now. */
  private async recordLate(term: LeaderTerm): Promise<void> {
    const late = this.unrecorded;
    if (late === undefined) {
      return;
    }
    try {
      if (!late.isAudited) {
        await this.store.actions.append([toAction(late.version)]);
        late.isAudited = true;
      }
      await this.store.operations.recordVersion(late.version, term.lease());
    } catch (error) {
      this.unrecorded = error instanceof StoreUnavailableError ? late : undefined;
      throw error;
    }
    this.unrecorded = undefined;
    await this.report(term);
  }

  /** What failed is tried again after a pause; as soon as something else is wanted, that is tried. */
  private note({ result, reason, method }: LoadBalancerVersion, wanted: string): void {
    this.tried = wanted;
    if (result === 'applied' || result === 'unchanged') {
      this.failures = 0;
      return;
    }
    this.retryAt = performance.now() + Math.min(MAX_RETRY_MS, MIN_RETRY_MS * 2 ** this.failures);
    this.failures++;
    this.logger.error(
      `a change of the load balancer (${method}) ended as ${result.replace('_', ' ')}: ${reason ?? 'no reason given'}`,
    );
  }

  private async repairDrift(state: DesiredState, term: LeaderTerm): Promise<void> {
    const drifts = await this.loadBalancer.detectDrift(state);
    this.driftAt = performance.now() + this.options.driftIntervalMs;
    if (drifts.length > 0) {
      this.logger.warn(`the load balancer has drifted: ${drifts.map(({ detail }) => detail).join('; ')}`);
      await this.report(term);
      const version = await this.loadBalancer.apply(state, ACTOR);
      await this.record(version, term);
      this.note(version, this.tried);
    }
  }

  /** For the replicas that do not lead. */
  private async report(term: LeaderTerm): Promise<void> {
    const lease = term.lease();
    const detail = toReport(this.loadBalancer.status());
    const status = { component: COMPONENT, detail, holder: lease.holder, at: new Date() };
    await this.store.operations.report(status, lease);
  }
}

function toAction(version: LoadBalancerVersion): ActionRecord {
  const { id, revision, epoch, hash, type, method, result, reason, actor, at, durationMs } = version;
  return {
    timestamp: at,
    userId: actor,
    action: 'loadbalancer.apply',
    resource: `loadbalancer:${type}`,
    result: result === 'applied' || result === 'unchanged' ? 'success' : 'failure',
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

/** What of a proxy the load balancer can see. */
function relevantPart({ id, pool, host, port, weight, isDraining, health }: Proxy): unknown[] {
  return [id, pool, host, port, weight, isDraining, health];
}
