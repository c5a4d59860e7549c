import type { ServerResponse } from 'node:http';
import { untilAborted, Wakeup } from '@palisade/async';
import { POLICY_KEEPALIVE_MS, type PoolName, type ProxyId } from '@palisade/domain';
import type { Policies, PolicyPosition } from './policies.js';

/** A proxy that reads nothing for so long is not alive, and is not waited for. */
const MAX_STALL_MS = 10_000;
/** Events that wait beside the policy; who is further behind has to begin again. */
const MAX_WAITING = 100;
const KEEPALIVE = Buffer.from(':\n\n');

export interface PolicyStreamOptions {
  readonly proxy: ProxyId;
  readonly pool: PoolName;
  /** What the proxy has already. */
  readonly sent?: PolicyPosition;
  readonly response: ServerResponse;
  /** Resolves unless the credential that opened the stream is no longer valid. */
  readonly authenticate: () => Promise<unknown>;
}

/** The stream of one proxy. What it has to send waits in one place for all streams, so that a slow reader costs nothing. */
export class PolicyStream {
  private readonly ended = new AbortController();
  private readonly wakeup = new Wakeup();
  private readonly waiting: Buffer[] = [];
  private position: PolicyPosition | undefined;

  constructor(
    readonly options: PolicyStreamOptions,
    private readonly policies: Policies,
  ) {
    const { response, sent } = options;
    this.position = sent;
    response.once('close', () => this.ended.abort());
  }

  get isEnded(): boolean {
    return this.ended.signal.aborted;
  }

  /** There may be something to send. */
  wake(): void {
    this.wakeup.wake();
  }

  send(event: Buffer): void {
    if (this.waiting.push(event) > MAX_WAITING) {
      this.end();
    }
    this.wake();
  }

  end(): void {
    this.ended.abort();
    this.options.response.end();
  }

  /** Sends what there is until the stream ends. */
  async run(): Promise<void> {
    const { pool } = this.options;
    while (!this.isEnded) {
      const event = await this.policies.after(pool, this.position);
      if (event !== undefined) {
        this.position = event.position;
      }
      const chunks = [...(event?.chunks ?? []), ...this.waiting.splice(0)];
      if (chunks.length > 0) {
        await this.write(chunks);
      } else if (await this.isIdle()) {
        await this.write([KEEPALIVE]);
      }
    }
  }

  /** False when there is something to send after all. */
  private async isIdle(): Promise<boolean> {
    const before = performance.now();
    await this.wakeup.wait(POLICY_KEEPALIVE_MS, this.ended.signal);
    return !this.isEnded && performance.now() - before >= POLICY_KEEPALIVE_MS - 1;
  }

  private async write(chunks: readonly Buffer[]): Promise<void> {
    const { response } = this.options;
    if (this.isEnded) {
      return;
    }
    const { promise: taken, resolve } = Promise.withResolvers<void>();
    // Not by the event "drain", which does not come for every response that says that it needs to drain.
    chunks.forEach((chunk, at) => response.write(chunk, at === chunks.length - 1 ? () => resolve() : undefined));
    const timer = setTimeout(() => response.destroy(), MAX_STALL_MS);
    try {
      await untilAborted(taken, this.ended.signal);
    } catch (error) {
      if (!this.isEnded) {
        throw error;
      }
    } finally {
      clearTimeout(timer);
    }
  }
}
