import { randomUUID } from 'node:crypto';
import { Backoff, pause, runTogether, SYSTEM_CLOCK, Wakeup, type Clock } from '@palisade/async';
import { messageOf, type CapDemand, type CapPart, type PolicyReport, type ProxyHeartbeat } from '@palisade/domain';
import type { AccessDecisions } from './access-decisions.js';
import type { HeartbeatAnswer } from './answers.js';
import type { ControlPlaneClient, ProxyIdentity } from './control-plane-client.js';
import { PolicyCopy } from './policy-copy.js';
import { PolicyFollower, type GovernanceLogger, type PolicyFollowerOptions } from './policy-follower.js';

/** What takes this process's parts of the backends' caps. */
export interface CapTaker {
  /** What it has and needs, by backend. */
  demand(): Readonly<Record<string, CapDemand>>;
  /** @param sentAtMs when the request was sent that the parts answer, by the clock of the proxy */
  apply(parts: Readonly<Record<string, CapPart>>, sentAtMs: number): void;
}

export interface GovernedProxyOptions {
  readonly client: ControlPlaneClient;
  readonly identity: ProxyIdentity;
  readonly policy: PolicyFollowerOptions['policy'];
  readonly access?: AccessDecisions;
  readonly caps?: CapTaker;
  /** What namespaces use, for heartbeats. */
  readonly usage?: () => ProxyHeartbeat['usage'];
  /** File that keeps the policy for a start without a control plane. Absent: such a start serves nothing. */
  readonly copyFile?: string;
  /** What heartbeats say about the program. */
  readonly version?: string;
  readonly logger: GovernanceLogger;
  readonly clock?: Clock;
  /** How long a start waits for the policy before it takes the copy. Default 3,000. */
  readonly startPatienceMs?: number;
}

export interface GovernanceSnapshot extends PolicyReport {
  readonly configuration?: string;
  /** Whether the policy stream is open. */
  readonly isConnected: boolean;
  /** Why the copy on disk could not be read or written the last time. */
  readonly copyProblem?: string;
}

const RETRY = { minMs: 250, maxMs: 5000, random: Math.random };
const MIN_HEARTBEAT_GAP_MS = 250;

/**
 * Keeps a proxy governed by a control plane: registered, with the policy of its pool in force, with its parts of the backends'
 * caps, and with what it knows of access. While no control plane can be reached it goes on with what it has; it says how old
 * that is. It never serves with a policy that was not decided for it: one that cannot be applied leaves the one before in
 * force, and without any nothing is served.
 */
export class GovernedProxy {
  readonly #options: GovernedProxyOptions;
  readonly #clock: Clock;
  readonly #follower: PolicyFollower;
  readonly #instance = randomUUID();
  readonly #ending = new AbortController();
  readonly #due = new Wakeup();
  readonly #backoff = new Backoff(RETRY);
  #isRegistered = false;
  #isReachable = true;
  #sentAtMs = 0;
  #toldDemand: Readonly<Record<string, CapDemand>> = {};
  #running: Promise<void> = Promise.resolve();

  constructor(options: GovernedProxyOptions) {
    const { client, identity, policy, access, copyFile, clock = SYSTEM_CLOCK, logger } = options;
    this.#options = options;
    this.#clock = clock;
    this.#follower = new PolicyFollower({
      client,
      identity,
      policy,
      access,
      clock,
      logger,
      ...(copyFile !== undefined && { copy: new PolicyCopy({ path: copyFile, pool: identity.pool }) }),
      onReport: () => this.#due.wake(),
      onUnknown: () => this.#forget(),
    });
  }

  /** Registers, and resolves when there is a policy, or none is to be had for now. Never rejects. */
  async onModuleInit(): Promise<void> {
    const { startPatienceMs = 3000 } = this.#options;
    const isReached = await this.#sendHeartbeat();
    const { signal } = this.#ending;
    this.#running = runTogether(
      signal,
      (ending) => this.#follower.follow(ending),
      (ending) => this.#sendHeartbeats(ending),
      (ending) => this.#watchDemand(ending),
    );
    if (isReached) {
      await Promise.race([this.#follower.hasApplied, pause(startPatienceMs, signal)]);
    }
    await this.#follower.useCopy();
  }

  /**
   * Gets no more requests. A proxy with parts of caps stays known to the control plane until {@link leave}. Never rejects.
   */
  async onModuleDestroy(): Promise<void> {
    const { client, identity, access, caps } = this.#options;
    this.#ending.abort();
    await this.#running;
    access?.close();
    await this.#tell(() => (caps === undefined ? client.remove(identity.id) : client.register(identity, true)));
  }

  /** To be called when all connections are closed: others may have this proxy's parts of caps. Never rejects. */
  async leave(): Promise<void> {
    const { client, identity, caps } = this.#options;
    if (caps !== undefined) {
      await this.#tell(() => client.remove(identity.id, true));
    }
  }

  snapshot(): GovernanceSnapshot {
    const { configuration } = this.#options.policy;
    const { isConnected, copyProblem } = this.#follower;
    return {
      ...this.#follower.report(),
      ...(configuration !== undefined && { configuration }),
      isConnected,
      ...(copyProblem !== undefined && { copyProblem }),
    };
  }

  async #sendHeartbeats(signal: AbortSignal): Promise<void> {
    let intervalMs = 0;
    while (!signal.aborted) {
      await this.#due.wait(intervalMs, signal);
      await pause(Math.max(0, this.#sentAtMs + MIN_HEARTBEAT_GAP_MS - this.#clock.now()), signal);
      if (!signal.aborted) {
        intervalMs = (await this.#sendHeartbeat()) ?? this.#backoff.next();
      }
    }
  }

  /** Registers, or sends a heartbeat; resolves to when the next one is due, and to undefined when that failed. */
  async #sendHeartbeat(): Promise<number | undefined> {
    const { client, identity, caps } = this.#options;
    const sentAtMs = this.#clock.now();
    this.#sentAtMs = sentAtMs;
    try {
      const answer = this.#isRegistered ? await client.heartbeat(identity.id, this.#describe()) : undefined;
      const { heartbeatIntervalMs, caps: parts } = answer ?? (await this.#register());
      this.#noteSuccess();
      if (answer !== undefined) {
        // A control plane that says nothing of caps divides none.
        caps?.apply(parts ?? {}, sentAtMs);
      }
      return heartbeatIntervalMs;
    } catch (error) {
      this.#noteFailure(error);
      return undefined;
    }
  }

  async #register(): Promise<HeartbeatAnswer> {
    const { client, identity } = this.#options;
    const answer = await client.register(identity);
    this.#isRegistered = true;
    // A registration says nothing of the policy.
    this.#due.wake();
    return answer;
  }

  /** The control plane has to be told who this is. */
  #forget(): void {
    this.#isRegistered = false;
    this.#due.wake();
  }

  #describe(): ProxyHeartbeat {
    const { version, caps, usage } = this.#options;
    this.#toldDemand = caps?.demand() ?? {};
    return {
      instance: this.#instance,
      ...(version !== undefined && { version }),
      policy: this.#follower.report(),
      ...(caps !== undefined && { caps: this.#toldDemand }),
      ...(usage !== undefined && { usage: usage() }),
    };
  }

  async #tell(request: () => Promise<unknown>): Promise<void> {
    try {
      await request();
    } catch (error) {
      this.#options.logger.warn(
        'the control plane cannot be told that this proxy ends: it will miss its heartbeats',
        error,
      );
    }
  }

  /** Has a heartbeat sent early when connections are needed, or are not needed any more. */
  async #watchDemand(signal: AbortSignal): Promise<void> {
    const { caps } = this.#options;
    while (!signal.aborted) {
      await pause(MIN_HEARTBEAT_GAP_MS, signal);
      const demand = Object.entries(caps?.demand() ?? {});
      if (demand.some(([backend, now]) => isWorthTelling(this.#toldDemand[backend], now))) {
        this.#due.wake();
      }
    }
  }

  #noteSuccess(): void {
    this.#follower.noteActivity();
    this.#backoff.reset();
    if (!this.#isReachable) {
      this.#isReachable = true;
      this.#options.logger.log('the control plane accepts the heartbeats of this proxy again');
    }
  }

  #noteFailure(error: unknown): void {
    if (this.#isReachable) {
      this.#isReachable = false;
      this.#options.logger.warn(`the control plane does not accept the heartbeats of this proxy: ${messageOf(error)}`);
    }
  }
}

/** So many connections less are worth a heartbeat. */
const MANY = 4;

/** Whether the part of a cap is too small, was given back, or is much larger than what is needed, and nobody was told. */
function isWorthTelling(told: CapDemand | undefined, now: CapDemand): boolean {
  if (told === undefined || told.limit !== now.limit) {
    return true;
  }
  const [before, needed] = [told, now].map(({ in_use, waiting }) => in_use + waiting) as [number, number];
  const lacks = needed > now.limit && needed !== before;
  return lacks || needed + MANY <= before / 2;
}
