import { setTimeout as sleep } from 'node:timers/promises';
import { Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { ControlPlaneClient, PoolNews, ProxySelf } from './control-plane-client.js';

const RETRY_MS = 5000;
/** So many heartbeats in a row have to tell of fewer proxies before this one takes a larger part. */
const STEADY_HEARTBEATS = 3;

/**
 * Makes a proxy known to the control plane, for as long as the app runs: registers, gives signs of life, and says when it
 * ends. While the control plane cannot be reached the proxy goes on as it is.
 */
export class Registration implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #logger = new Logger(Registration.name);
  readonly #end = new AbortController();
  /** Live proxies of the pool, as the last heartbeats told. */
  #recent: readonly number[] = [];
  #least = 1;
  /** By which the caps of this process are divided. */
  #replicas = 1;
  #onReplicas: (replicas: number) => void = () => {};
  #isReachable = true;
  #loop: Promise<void> = Promise.resolve();

  constructor(
    private readonly client: ControlPlaneClient,
    private readonly self: ProxySelf,
  ) {}

  /**
   * Registers, and tells by how much the caps of the backends are to be divided, now and whenever that changes: the live
   * proxies of the pool, this one included, and no fewer than `least`.
   */
  async join(least: number, onReplicas: (replicas: number) => void): Promise<void> {
    this.#least = least;
    this.#replicas = least;
    this.#onReplicas = onReplicas;
    try {
      this.#hear(await this.client.register(this.self));
    } catch (error) {
      this.#miss(error);
    }
  }

  onApplicationBootstrap(): void {
    this.#loop = this.#beat(); // never rejects
  }

  async onModuleDestroy(): Promise<void> {
    this.#end.abort();
    await this.#loop;
    try {
      await this.client.remove(this.self.id);
    } catch (error) {
      this.#logger.warn('cannot tell the control plane that this proxy ends; it will notice', error);
    }
  }

  async #beat(): Promise<void> {
    while (!this.#end.signal.aborted) {
      const intervalMs = await this.#giveSign();
      await sleep(intervalMs, undefined, { signal: this.#end.signal, ref: false }).catch(() => {}); // ending
    }
  }

  /** Resolves to how long to wait until the next one. */
  async #giveSign(): Promise<number> {
    try {
      const news = (await this.client.heartbeat(this.self.id)) ?? (await this.client.register(this.self));
      this.#hear(news);
      return news.heartbeatIntervalMs;
    } catch (error) {
      this.#miss(error);
      return RETRY_MS;
    }
  }

  #hear({ livePoolSize }: PoolNews): void {
    if (!this.#isReachable) {
      this.#isReachable = true;
      this.#logger.log('the control plane answers again');
    }
    this.#count(livePoolSize);
  }

  /** A pool that grows takes effect at once; one that shrinks, when it has stayed smaller. */
  #count(livePoolSize: number): void {
    this.#recent = [...this.#recent, livePoolSize].slice(-STEADY_HEARTBEATS);
    const replicas = Math.max(this.#least, ...this.#recent);
    if (replicas !== this.#replicas) {
      this.#logger.log(`the caps of the backends are shared by ${replicas} proxies`);
      this.#replicas = replicas;
      this.#onReplicas(replicas);
    }
  }

  #miss(error: unknown): void {
    if (this.#isReachable) {
      this.#isReachable = false;
      this.#logger.warn('the control plane cannot be reached; requests are served nevertheless', error);
    }
  }
}
