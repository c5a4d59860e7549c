import { setTimeout as sleep } from 'node:timers/promises';
import { Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { ControlPlaneClient, PoolNews, ProxySelf } from './control-plane-client.js';

const RETRY_MS = 5000;

/**
 * Makes a proxy known to the control plane, for as long as the app runs: registers, gives signs of life, and says when it
 * ends. While the control plane cannot be reached the proxy goes on as it is.
 */
export class Registration implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #logger = new Logger(Registration.name);
  readonly #end = new AbortController();
  /** By which the caps of this process are divided. */
  #divisor = 1;
  #isReachable = true;
  #loop: Promise<void> = Promise.resolve();

  constructor(
    private readonly client: ControlPlaneClient,
    private readonly self: ProxySelf,
  ) {}

  /**
   * Registers, and says by how much the caps of the backends are to be divided: the live proxies of the pool, this one
   * included, and no fewer than `replicas`. It is asked once: the caps of a process do not change while it runs.
   */
  async settleDivisor(replicas: number): Promise<number> {
    this.#divisor = replicas;
    try {
      await this.client.register(this.self);
      this.#divisor = Math.max(replicas, (await this.client.countOthers(this.self)) + 1);
    } catch (error) {
      this.#miss(error);
    }
    return this.#divisor;
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
    if (livePoolSize > this.#divisor) {
      this.#logger.warn(
        `the pool has ${livePoolSize} live proxies, and this one has caps for ${this.#divisor}: restart it, or set DATA_PROXY_REPLICAS`,
      );
    }
  }

  #miss(error: unknown): void {
    if (this.#isReachable) {
      this.#isReachable = false;
      this.#logger.warn('the control plane cannot be reached; requests are served nevertheless', error);
    }
  }
}
