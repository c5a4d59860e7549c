import { Logger } from '@nestjs/common';
import {
  ProxyStore,
  StoreUnavailableError,
  type ChangeContext,
  type HealthObservation,
  type Proxy,
  type ProxyId,
} from '@palisade/domain';
import { pause } from '@palisade/async';
import { LeaderDuty, type LeaderTerm } from '../leadership/leader-duty.js';
import type { HealthSettings } from '../config/control-plane-settings.js';
import { HealthJudge } from './health-judge.js';
import { probe, type ProbeResult } from './http-probe.js';

const ACTOR = 'control-plane';
/** Checks under way at once. */
const MAX_PROBES = 64;

/**
 * Checks every proxy once per interval and keeps what changed. A registered proxy whose heartbeats have stopped is
 * unhealthy whatever it answers, and is forgotten in the end.
 */
export class HealthChecksDuty extends LeaderDuty {
  override readonly name = 'health checks';
  private readonly logger = new Logger(HealthChecksDuty.name);
  private readonly judges = new Map<ProxyId, { readonly address: string; readonly judge: HealthJudge }>();
  /** Since when heartbeats could be heard, in milliseconds since 1970: nobody is blamed for what was not heard before. */
  private listeningSince = 0;

  constructor(
    private readonly proxies: ProxyStore,
    private readonly settings: HealthSettings,
  ) {
    super();
  }

  override async run({ signal }: LeaderTerm): Promise<void> {
    this.judges.clear();
    this.listeningSince = Date.now();
    while (!signal.aborted) {
      const startedAt = performance.now();
      try {
        await this.checkAll(signal);
      } catch (error) {
        if (!(error instanceof StoreUnavailableError)) {
          throw error;
        }
        this.logger.warn('the results of health checks cannot be kept', error);
        this.listeningSince = Number.POSITIVE_INFINITY;
      }
      await pause(Math.max(0, this.settings.intervalMs - (performance.now() - startedAt)), signal);
    }
  }

  private async checkAll(signal: AbortSignal): Promise<void> {
    const known = await this.proxies.list();
    this.listeningSince = Math.min(this.listeningSince, Date.now());
    this.forgetJudges(known);
    const forgotten = await this.forgetSilent(known, signal);
    const queue = known.filter(({ id }) => !forgotten.has(id));
    const observations: HealthObservation[] = [];
    const work = async (): Promise<void> => {
      for (let proxy = queue.shift(); proxy !== undefined && !signal.aborted; proxy = queue.shift()) {
        const result = this.isSilent(proxy)
          ? { isGood: false, detail: 'no heartbeat' }
          : await probe(proxy, this.settings, signal);
        observations.push(...this.observe(proxy, result));
      }
    };
    await Promise.all(Array.from({ length: MAX_PROBES }, work));
    if (observations.length > 0 && !signal.aborted) {
      await this.proxies.observe(observations, changeNow());
    }
  }

  /** Nothing when the proxy is as it was. */
  private observe(proxy: Proxy, { isGood, detail }: ProbeResult): HealthObservation[] {
    const health = this.judgeOf(proxy).judge(isGood, performance.now());
    return health === proxy.health ? [] : [{ id: proxy.id, health, detail, at: new Date() }];
  }

  /** A proxy at another address is another one to judge. */
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
  private silentMs({ source, registeredAt, lastHeartbeatAt }: Proxy): number {
    const lastSignAt = (lastHeartbeatAt ?? registeredAt).getTime();
    return source === 'registration' ? Date.now() - Math.max(lastSignAt, this.listeningSince) : 0;
  }
}

function changeNow(): ChangeContext {
  return { actor: ACTOR, at: new Date() };
}
