import {
  ProxyStore,
  type ChangeContext,
  type HealthObservation,
  type PoolName,
  type Proxy,
  type ProxyId,
} from '@palisade/domain';
import { SYSTEM_CLOCK, mapParallel, pause, within } from '@palisade/async';
import { PeriodicDuty, type LeaderTerm } from '../leadership/leader-duty.js';
import type { HealthSettings } from '../config/control-plane-settings.js';
import { HealthJudge } from './health-judge.js';
import { probe, type ProbeResult } from './http-probe.js';

const ACTOR = 'control-plane';
/** Checks that run at the same time. Each pool has an equal share, so that one that hangs does not delay the others. */
const MAX_PROBES = 256;

/**
 * Checks every proxy once per interval and stores the changes. A registered proxy whose heartbeats have stopped is
 * unhealthy whatever it answers, and is removed in the end.
 */
export class HealthChecksDuty extends PeriodicDuty {
  override readonly name = 'health checks';
  private readonly judges = new Map<ProxyId, { readonly address: string; readonly judge: HealthJudge }>();
  /** The pools that are being checked. */
  private readonly checks = new Map<PoolName, Promise<void>>();
  /** Why the check of a pool has failed. */
  private failure: unknown;
  /** Heartbeats count as missing from this time on, in milliseconds since 1970: earlier ones may have been lost. */
  private listeningSince = 0;
  private silences: ReadonlyMap<ProxyId, number> = new Map();

  constructor(
    private readonly proxies: ProxyStore,
    private readonly settings: HealthSettings,
  ) {
    super();
  }

  override async run({ signal }: LeaderTerm): Promise<void> {
    this.judges.clear();
    this.failure = undefined;
    this.listeningSince = Date.now();
    let startedAt = 0;
    const check = async (): Promise<void> => {
      startedAt = performance.now();
      try {
        await this.checkAll(signal);
      } catch (error) {
        // Heartbeats may be lost with the store.
        this.listeningSince = Number.POSITIVE_INFINITY;
        throw error;
      }
    };
    const wait = (): Promise<void> =>
      pause(Math.max(0, this.settings.intervalMs - (performance.now() - startedAt)), signal);
    try {
      await this.repeat(signal, check, wait);
    } finally {
      await Promise.all(this.checks.values());
    }
  }

  private async checkAll(signal: AbortSignal): Promise<void> {
    const known = await this.proxies.list();
    this.silences = await this.proxies.silences();
    this.listeningSince = Math.min(this.listeningSince, Date.now());
    this.forgetJudges(known);
    const forgotten = await this.forgetSilent(known, signal);
    const pools = Map.groupBy(
      known.filter(({ id }) => !forgotten.has(id)),
      ({ pool }) => pool,
    );
    const share = Math.max(1, Math.floor(MAX_PROBES / pools.size));
    for (const [pool, proxies] of pools) {
      if (!this.checks.has(pool)) {
        this.checks.set(pool, this.checkPool(pool, proxies, share, signal));
      }
    }
    // A pool that takes longer than the interval goes on by itself, while the others are checked again.
    const all = Promise.all(this.checks.values());
    await within(this.settings.intervalMs, SYSTEM_CLOCK, all, () => undefined).catch(() => {});
    if (this.failure !== undefined) {
      const { failure } = this;
      this.failure = undefined;
      throw failure;
    }
  }

  /** Never rejects: the round throws the failure. */
  private async checkPool(
    pool: PoolName,
    proxies: readonly Proxy[],
    share: number,
    signal: AbortSignal,
  ): Promise<void> {
    const observations: HealthObservation[] = [];
    try {
      await mapParallel(proxies, share, async (proxy) => {
        if (!signal.aborted) {
          const result = this.isSilent(proxy)
            ? { isGood: false, detail: 'no heartbeat' }
            : await probe(proxy, this.settings, signal);
          observations.push(...this.observe(proxy, result));
        }
      });
      if (observations.length > 0 && !signal.aborted) {
        await this.proxies.observe(observations, changeNow());
      }
    } catch (error) {
      this.failure ??= error;
    } finally {
      this.checks.delete(pool);
    }
  }

  /** Empty when the health of the proxy has not changed. */
  private observe(proxy: Proxy, { isGood, detail }: ProbeResult): HealthObservation[] {
    const health = this.judgeOf(proxy).judge(isGood, performance.now());
    return health === proxy.health ? [] : [{ id: proxy.id, health, detail, at: new Date() }];
  }

  /** A proxy that moves to another address is judged from the start. */
  private judgeOf({ id, host, port, health }: Proxy): HealthJudge {
    const address = `${host}:${port}`;
    const known = this.judges.get(id);
    if (known?.address === address) {
      return known.judge;
    }
    const judge = new HealthJudge(this.settings, health);
    this.judges.set(id, { address, judge });
    return judge;
  }

  private forgetJudges(known: readonly Proxy[]): void {
    const ids = new Set(known.map(({ id }) => id));
    for (const id of this.judges.keys()) {
      if (!ids.has(id)) {
        this.judges.delete(id);
      }
    }
  }

  private async forgetSilent(known: readonly Proxy[], signal: AbortSignal): Promise<Set<ProxyId>> {
    const silent = known.filter((proxy) => this.silentMs(proxy) > this.settings.forgetAfterMs);
    for (const { id } of silent) {
      signal.throwIfAborted();
      await this.proxies.remove(id, changeNow());
    }
    return new Set(silent.map(({ id }) => id));
  }

  private isSilent(proxy: Proxy): boolean {
    return this.silentMs(proxy) > this.settings.heartbeatTimeoutMs;
  }

  /** Only proxies that registered themselves send heartbeats. */
  private silentMs({ id }: Proxy): number {
    return Math.min(this.silences.get(id) ?? 0, Date.now() - this.listeningSince);
  }
}

function changeNow(): ChangeContext {
  return { actor: ACTOR, at: new Date() };
}
