import { SYSTEM_CLOCK, type Clock, type Timer } from '@palisade/async';
import { HeldCapPart, type CapDemand, type CapPart, type CapRequest } from '@palisade/domain';
import type { PoolsSnapshot } from '../pools/pool-snapshot.js';

/** Connections to one backend, of which a process may have its part of a cap. */
export interface CappedConnections {
  snapshot(): PoolsSnapshot;
  /**
   * Opens no connection above the part any more, which is asked for before each, and closes what is beyond it when it is not
   * in use.
   */
  resize(part: () => number): void;
  /** Closes what is beyond a number of connections at once, whatever it is doing. */
  closeBeyond(ceiling: number): void;
  /** Connections that are reserved, one at least. */
  least(): number;
  /** So long the backend may keep a connection of a process that has been stopped. */
  readonly holdMs: number;
}

/** More requests than are ever under way at once. */
const MAX_TOLD = 64;

/**
 * This process's parts of the caps that hold for all proxies of a pool together. It begins with nothing: what other
 * processes have is known only to the control plane. A part that is not renewed becomes smaller by itself, in the end
 * nothing; that does not wait for timers, which are late in a process that was stopped.
 */
export class CapParts {
  readonly #held: ReadonlyMap<string, HeldCapPart>;
  /** Backends of which the control plane divides no cap. */
  readonly #undivided = new Set<string>();
  readonly #told: { readonly atMs: number; readonly limits: ReadonlyMap<string, number> }[] = [];
  readonly #clock: Clock;
  #timer: Timer | undefined = undefined;

  constructor(
    private readonly backends: ReadonlyMap<string, CappedConnections>,
    clock: Clock = SYSTEM_CLOCK,
  ) {
    this.#clock = clock;
    this.#held = new Map([...backends.keys()].map((backend) => [backend, new HeldCapPart()]));
    this.#enforce();
  }

  /** What the process has and needs, by backend; to be sent at once. */
  demand(): Readonly<Record<string, CapDemand>> {
    const nowMs = this.#clock.now();
    const demands = [...this.backends].map(([backend, connections]) => {
      return [backend, this.#demandOf(backend, connections, nowMs)] as const;
    });
    this.#told.push({ atMs: nowMs, limits: new Map(demands.map(([backend, { limit }]) => [backend, limit])) });
    this.#told.splice(0, this.#told.length - MAX_TOLD);
    return Object.fromEntries(demands);
  }

  /**
   * Goes by the parts that a control plane has answered with. A backend without one has no cap there: the process's own limit
   * is left.
   *
   * @param sentAtMs when the request was sent, before the demand was asked for; by the clock of this object
   */
  apply(parts: Readonly<Record<string, CapPart>>, sentAtMs: number): void {
    const told = this.#told.find(({ atMs }) => atMs >= sentAtMs);
    for (const [backend, held] of this.#held) {
      const part = Object.hasOwn(parts, backend) ? parts[backend] : undefined;
      if (part === undefined) {
        this.#undivided.add(backend);
      } else {
        this.#undivided.delete(backend);
        const asked: CapRequest = { sentAtMs, limit: told?.limits.get(backend) ?? 0 };
        held.apply(part, asked);
      }
    }
    this.#enforce();
  }

  /** Why the process may have no connection to a backend; undefined when it may, or the control plane has not said. */
  reasonFor(backend: string): string | undefined {
    return this.#held.get(backend)?.reason;
  }

  /** Keeps to what the parts are at this moment, and does so again when one ends. */
  #enforce(): void {
    const nowMs = this.#clock.now();
    for (const [backend, connections] of this.backends) {
      connections.resize(() => this.#heldOf(backend)?.limitAt(this.#clock.now()) ?? Number.MAX_SAFE_INTEGER);
      connections.closeBeyond(this.#heldOf(backend)?.ceilingAt(nowMs) ?? Number.MAX_SAFE_INTEGER);
    }
    this.#timer?.cancel();
    const ends = [...this.backends.keys()].flatMap((backend) => this.#heldOf(backend)?.nextEndMs(nowMs) ?? []);
    this.#timer =
      ends.length === 0 ? undefined : this.#clock.setBackgroundTimer(() => this.#enforce(), Math.min(...ends) - nowMs);
  }

  close(): void {
    this.#timer?.cancel();
  }

  #heldOf(backend: string): HeldCapPart | undefined {
    return this.#undivided.has(backend) ? undefined : this.#held.get(backend);
  }

  #demandOf(backend: string, connections: CappedConnections, nowMs: number): CapDemand {
    const { active, opening, closing, queued } = connections.snapshot();
    const held = this.#held.get(backend);
    return {
      ...(held?.sequence !== undefined && { sequence: held.sequence }),
      limit: Math.max(held?.limitAt(nowMs) ?? 0, sizeOf(connections)),
      in_use: active + opening + closing,
      waiting: queued,
      least: connections.least(),
      hold_seconds: connections.holdMs / 1000,
    };
  }
}

function sizeOf(connections: CappedConnections): number {
  const { active, idle, opening, closing } = connections.snapshot();
  return active + idle + opening + closing;
}
