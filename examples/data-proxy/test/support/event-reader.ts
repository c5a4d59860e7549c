import type { IncomingMessage } from 'node:http';
import { createInterface } from 'node:readline';
import type { Tenant } from './tenant.js';

export interface ServerEvent {
  readonly event: string;
  readonly data: unknown;
}

/** Reads server-sent events; its end is the end of the subscription. */
export class EventReader implements AsyncDisposable {
  readonly #events: AsyncGenerator<ServerEvent, void>;

  private constructor(private readonly response: IncomingMessage) {
    this.#events = readEvents(response);
  }

  /** Resolves when messages are coming. */
  static async subscribe(tenant: Tenant, subject: string): Promise<EventReader> {
    const reader = new EventReader(await tenant.open('GET', `/v1/messages/${encodeURIComponent(subject)}`));
    const first = await reader.next();
    if (first?.event !== 'subscribed') {
      throw new Error(`not subscribed: ${JSON.stringify(first)}`);
    }
    return reader;
  }

  /** Undefined when the answer has ended. */
  async next(): Promise<ServerEvent | undefined> {
    const result = await this.#events.next();
    return result.done === true ? undefined : result.value;
  }

  async take(count: number): Promise<ServerEvent[]> {
    const events: ServerEvent[] = [];
    while (events.length < count) {
      const event = await this.next();
      if (event === undefined) {
        break;
      }
      events.push(event);
    }
    return events;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.response.destroy();
  }
}

async function* readEvents(response: IncomingMessage): AsyncGenerator<ServerEvent, void> {
  let event = '';
  for await (const line of createInterface({ input: response })) {
    if (line.startsWith('event: ')) {
      event = line.slice('event: '.length);
    } else if (line.startsWith('data: ')) {
      yield { event, data: JSON.parse(line.slice('data: '.length)) as unknown };
    }
  }
}
