import type { LoadBalancerVersion } from '@palisade/domain';
import { failSpan, inSpan } from '@palisade/platform';
import { v7 as uuidv7 } from 'uuid';
import { SerialQueue } from '@palisade/async';
import type { HostAddresses } from './host-addresses.js';
import type { ConfigurationChange, Outcome } from './configuration-change.js';
import { PendingChange } from './pending-change.js';
import type { DesiredState } from '../routing/table/desired-state.js';
import { SOLE_LEADER, type Leader } from './files/leader.js';
import type { Drift } from './load-balancer-driver.js';
import { previewChange, type ChangePreview } from './change-preview.js';

export interface LoadBalancerOptions {
  readonly type: LoadBalancerVersion['type'];
  readonly coalesceMs: number;
}

export interface LoadBalancerStatus {
  readonly type: LoadBalancerVersion['type'];
  /** Whether a change is waiting or being made. */
  readonly isBusy: boolean;
  readonly lastVersion?: LoadBalancerVersion;
  /** The result of the last search for drift. */
  readonly lastDrift?: { readonly at: Date; readonly drifts: readonly Drift[] };
  /** Servers of the last state whose names have no address. */
  readonly unresolved: readonly { readonly id: string; readonly host: string }[];
}

/** Learns what has happened; it must neither throw nor block. */
export interface LoadBalancerListener {
  /** A change was made, was not needed, or could not be made. */
  onChange(version: LoadBalancerVersion): void;
  /** A search for drift has ended. */
  onSearched(drifts: readonly Drift[]): void;
}

/**
 * One load balancer. Changes are made one at a time, in the order of the requests; requests that arrive during a change, or
 * shortly after each other, are combined.
 */
export class LoadBalancer {
  private readonly queue = new SerialQueue();
  private pending: PendingChange | undefined;
  private lastVersion: LoadBalancerVersion | undefined;
  private lastDrift: LoadBalancerStatus['lastDrift'];
  private unresolved: LoadBalancerStatus['unresolved'] = [];
  private leader = SOLE_LEADER;
  private readonly listeners: LoadBalancerListener[] = [];

  constructor(
    private readonly change: ConfigurationChange,
    private readonly addresses: HostAddresses,
    private readonly options: LoadBalancerOptions,
    private readonly now: () => Date = () => new Date(),
  ) {}

  /**
   * Makes changes on this leader's authority from now on. The changes of a leader that has lost its term, here or on another
   * replica, stop and end as `failed`.
   */
  lead(leader: Leader): void {
    this.leader = leader;
  }

  /** Notifies the listener from now on. */
  listen(listener: LoadBalancerListener): void {
    this.listeners.push(listener);
  }

  /**
   * Applies the state in the least disruptive way, and resolves with the outcome: see `result` and `reason`. When requests
   * are combined, the state of the latest revision counts.
   *
   * @param state must not be modified afterwards: the next one is compared with it
   */
  apply(state: DesiredState, actor: string): Promise<LoadBalancerVersion> {
    return this.request(state, actor, false);
  }

  /** Like {@link apply}, but checks and reloads everything at once, whether something has changed or not. */
  reload(state: DesiredState, actor: string): Promise<LoadBalancerVersion> {
    return this.request(state, actor, true);
  }

  /** What {@link apply} would change. @throws {RejectedStateError} when it would be rejected before anything is written */
  preview(state: DesiredState): Promise<ChangePreview> {
    return this.queue.run(async () => previewChange(this.change, await this.resolve(state)));
  }

  /**
   * The differences between the load balancer and the state: changed files, another configuration, other routes or servers.
   * The next {@link apply} repairs them.
   */
  detectDrift(state: DesiredState): Promise<readonly Drift[]> {
    return this.queue.run(async () => {
      const drifts = await this.change.findDrift(await this.resolve(state));
      this.lastDrift = { at: this.now(), drifts };
      this.listeners.forEach((listener) => listener.onSearched(drifts));
      return drifts;
    });
  }

  status(): LoadBalancerStatus {
    const { lastVersion, lastDrift, unresolved } = this;
    const isBusy = this.pending !== undefined || this.queue.isBusy;
    return { type: this.options.type, isBusy, lastVersion, lastDrift, unresolved };
  }

  /** Resolves when no change is waiting or being made. */
  async settle(): Promise<void> {
    this.pending?.endWait();
    await this.pending?.done;
    await this.queue.run(async () => {});
  }

  private request(state: DesiredState, actor: string, isForced: boolean): Promise<LoadBalancerVersion> {
    this.pending ??= this.open();
    this.pending.add(state, actor, isForced);
    return this.pending.done;
  }

  private open(): PendingChange {
    return new PendingChange(this.options.coalesceMs, (pending) =>
      this.queue.run(() => {
        this.pending = undefined;
        return this.carryOutTraced(pending);
      }),
    );
  }

  private carryOutTraced(pending: PendingChange): Promise<LoadBalancerVersion> {
    return inSpan('apply load balancer', {}, async (span) => {
      const version = await this.carryOut(pending);
      const { type, revision, method, result } = version;
      span.setAttributes({
        'palisade.load_balancer.type': type,
        'palisade.load_balancer.method': method,
        'palisade.load_balancer.result': result,
        'palisade.revision': revision,
      });
      if (result !== 'applied' && result !== 'unchanged') {
        failSpan(span, result);
      }
      return version;
    });
  }

  private async carryOut({ state, actor, isForced }: PendingChange): Promise<LoadBalancerVersion> {
    const at = this.now();
    const startedAt = performance.now();
    const { leader } = this;
    const outcome: Outcome = await this.change.apply(await this.resolve(state), isForced, leader);
    const durationMs = Math.round(performance.now() - startedAt);
    const { type } = this.options;
    const made = { id: uuidv7(), revision: state.revision, epoch: leader.epoch, type };
    const version = { ...made, ...reasonOf(state), ...outcome, actor, at, durationMs };
    this.lastVersion = version;
    this.listeners.forEach((listener) => listener.onChange(version));
    return version;
  }

  private async resolve(state: DesiredState): ReturnType<HostAddresses['resolve']> {
    const resolved = await this.addresses.resolve(state);
    this.unresolved = resolved.unresolved;
    return resolved;
  }
}

const MAX_NAMED = 10;

/** Which proxies a version that is applied did not wait for. */
function reasonOf({ overdue = [] }: DesiredState): Pick<LoadBalancerVersion, 'reason'> {
  if (overdue.length === 0) {
    return {};
  }
  const proxies = [...new Set(overdue.flatMap((each) => each.proxies))];
  const tenants = overdue.map(({ tenant }) => tenant);
  const revision = Math.max(...overdue.map((each) => each.revision));
  return {
    reason:
      `sent ${listed('tenant', tenants)} to another pool before ${listed('proxy', proxies)} ` +
      `acknowledged revision ${revision}`,
  };
}

function listed(noun: string, names: readonly string[]): string {
  const others = names.length - MAX_NAMED;
  return `${noun} ${names.slice(0, MAX_NAMED).join(', ')}${others > 0 ? ` and ${others} others` : ''}`;
}
