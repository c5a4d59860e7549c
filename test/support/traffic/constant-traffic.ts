import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../until.js';
import { KeepAliveClient, type ClientAnswer, type ClientRequest } from './keep-alive-client.js';

const POLL_MS = 10;
const MAX_SUMMARIZED = 5;

export interface Exchange {
  readonly request: ClientRequest;
  readonly origin: string;
  /** Before the request was sent, by `performance.now()`. */
  readonly begunAt: number;
  /** Absent: the connection broke before the answer was there. */
  readonly answer?: ClientAnswer;
  readonly error?: unknown;
}

/** For messages: the first few, each in a line. */
export function summarize(exchanges: readonly Exchange[]): string[] {
  return exchanges.slice(0, MAX_SUMMARIZED).map(({ request: { method, path }, origin, answer, error }) => {
    return `${method} ${origin}${path}: ${answer === undefined ? String(error) : `${answer.status} ${answer.text}`}`;
  });
}

/**
 * Clients that send requests one behind the other, each on a connection that it keeps. As those behind a load balancer do,
 * a client whose connection the server has closed, or will close, goes to the first replica that is ready.
 */
export class ConstantTraffic implements AsyncDisposable {
  readonly exchanges: Exchange[] = [];
  private isStopped = false;
  private readonly lanes: Promise<unknown>;

  /** @param origins the replicas; may change meanwhile */
  constructor(
    private readonly origins: readonly string[],
    count: number,
    next: (lane: number, at: number) => ClientRequest,
  ) {
    this.lanes = Promise.all(Array.from({ length: count }, (_, lane) => this.run((at) => next(lane, at))));
  }

  /** Resolves when so many more exchanges that match are over; the time limit of the test ends what never comes. */
  async untilMore(count: number, matches: (exchange: Exchange) => boolean = () => true): Promise<void> {
    const first = this.exchanges.length;
    await until(() => this.exchanges.slice(first).filter(matches).length >= count);
  }

  /** Resolves when every request that was sent is over. */
  async stop(): Promise<void> {
    this.isStopped = true;
    await this.lanes;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  private async run(next: (at: number) => ClientRequest): Promise<void> {
    let client: KeepAliveClient | undefined;
    for (let at = 0; !this.isStopped; at += 1) {
      if (client === undefined || !(await client.isConnected())) {
        client?.close();
        client = new KeepAliveClient(await this.firstReady());
      }
      this.exchanges.push(await exchange(client, next(at)));
    }
    client?.close();
  }

  private async firstReady(): Promise<string> {
    while (true) {
      for (const origin of this.origins) {
        const health = await fetch(`${origin}/health/ready`).catch(() => undefined);
        await health?.text();
        if (health?.ok === true) {
          return origin;
        }
      }
      if (this.isStopped) {
        throw new Error(`none of ${this.origins.join(', ')} is ready`);
      }
      await sleep(POLL_MS);
    }
  }
}

async function exchange(client: KeepAliveClient, request: ClientRequest): Promise<Exchange> {
  const sent = { request, origin: client.origin, begunAt: performance.now() };
  try {
    return { ...sent, answer: await client.send(request) };
  } catch (error) {
    return { ...sent, error };
  }
}
