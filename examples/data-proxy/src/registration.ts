import { pause } from '@palisade/async';
import { Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { ControlPlaneClient, PoolStatus, ProxyIdentity } from './control-plane-client.js';

const RETRY_MS = 5000;
/** A smaller pool takes effect only after this many heartbeats in a row have reported it. */
const STEADY_HEARTBEATS = 3;

/**
 * Keeps a proxy registered with the control plane while the app runs: registers it, sends heartbeats, and removes it at the
 * end. While the control plane is unreachable the proxy keeps serving with the last known pool size.
 */
export class Registration implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #logger = new Logger(Registration.name);
  readonly #ending = new AbortController();
  /** Pool sizes from the last heartbeats. */
  #recent: readonly number[] = [];
  #minReplicas = 1;
  /** The number that the caps of this process are divided by. */
  #replicas = 1;
  #onReplicas: (replicas: number) => void = () => {};
  #isReachable = true;
  #heartbeats: Promise<void> = Promise.resolve();

  constructor(
    private readonly client: ControlPlaneClient,
    private readonly identity: ProxyIdentity,
  ) {}

  /**
   * Registers, and reports how many proxies share the caps of the backends, now and whenever that changes: the live proxies of
   * the pool, this one included, but never fewer than `minReplicas`.
   */
  async join(minReplicas: number, onReplicas: (replicas: number) => void): Promise<void> {
    this.#minReplicas = minReplicas;
    this.#replicas = minReplicas;
    this.#onReplicas = onReplicas;
    try {
      this.#handleAnswer(await this.client.register(this.identity));
    } catch (error) {
      this.#handleFailure(error);
    }
  }

  onApplicationBootstrap(): void {
    this.#heartbeats = this.#sendHeartbeats(); // never rejects
  }

  async onModuleDestroy(): Promise<void> {
    this.#ending.abort();
    await this.#heartbeats;
    try {
      await this.client.remove(this.identity.id);
    } catch (error) {
      this.#logger.warn(
        'cannot remove this proxy from the control plane, which will notice the missing heartbeats',
        error,
      );
    }
  }

  async #sendHeartbeats(): Promise<void> {
    while (!this.#ending.signal.aborted) {
      await pause(await this.#sendHeartbeat(), this.#ending.signal);
    }
  }

  /** Resolves to the time until the next heartbeat, in milliseconds. */
  async #sendHeartbeat(): Promise<number> {
    try {
      const status = (await this.client.heartbeat(this.identity.id)) ?? (await this.client.register(this.identity));
      this.#handleAnswer(status);
      return status.heartbeatIntervalMs;
    } catch (error) {
      this.#handleFailure(error);
      return RETRY_MS;
    }
  }

  #handleAnswer({ livePoolSize }: PoolStatus): void {
    if (!this.#isReachable) {
      this.#isReachable = true;
      this.#logger.log('the control plane is reachable again');
    }
    this.#recent = [...this.#recent, livePoolSize].slice(-STEADY_HEARTBEATS);
    // The maximum lets a growing pool take effect at once, and a shrinking one only when it has stayed smaller.
    const replicas = Math.max(this.#minReplicas, ...this.#recent);
    if (replicas !== this.#replicas) {
      this.#logger.log(`the caps of the backends are shared by ${replicas} proxies`);
      this.#replicas = replicas;
      this.#onReplicas(replicas);
    }
  }

  #handleFailure(error: unknown): void {
    if (this.#isReachable) {
      this.#isReachable = false;
      this.#logger.warn('the control plane is unreachable; requests are still served', error);
    }
  }
}
