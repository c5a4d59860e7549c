import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { ADMIN_TOKEN, type ControlApp } from './control-app.js';

/** An event with its data parsed. */
export interface ReadEvent {
  readonly event: string | undefined;
  readonly id: string | undefined;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly data: any;
}

/** A proxy's end of a policy stream. */
export class PolicyStreamReader {
  readonly events: ReadEvent[] = [];
  comments = 0;
  isEnded = false;
  private next = 0;
  private readonly changed = new Set<() => void>();

  private constructor(private readonly aborting: AbortController) {}

  static async open(
    app: ControlApp,
    proxy: string,
    { token = ADMIN_TOKEN, after }: { readonly token?: string; readonly after?: string } = {},
  ): Promise<PolicyStreamReader> {
    const reader = new PolicyStreamReader(new AbortController());
    const response = await fetch(`${await app.origin()}/api/v1/proxies/${proxy}/policy`, {
      headers: { authorization: `Bearer ${token}`, ...(after !== undefined && { 'last-event-id': after }) },
      signal: reader.aborting.signal,
    });
    if (response.status !== 200 || response.body === null) {
      throw new Error(`${response.status} ${await response.text()}`);
    }
    void reader.read(response.body);
    return reader;
  }

  /** The next event that was not taken yet; waits for it. */
  async take(event?: string): Promise<ReadEvent> {
    for (;;) {
      const found = this.events[this.next];
      if (found === undefined) {
        if (this.isEnded) {
          throw new Error('the stream has ended');
        }
        await this.change();
      } else {
        this.next += 1;
        if (event === undefined || found.event === event) {
          return found;
        }
      }
    }
  }

  /** The next change with a tenant, or with a removed one. */
  async takeEffect(): Promise<ReadEvent> {
    for (;;) {
      const found = await this.take('change');
      if (found.data.tenants.length > 0 || found.data.removed.length > 0) {
        return found;
      }
    }
  }

  async until(isTrue: () => boolean): Promise<void> {
    while (!isTrue()) {
      await this.change();
    }
  }

  close(): void {
    this.aborting.abort();
  }

  private change(): Promise<void> {
    return new Promise((resolve) => this.changed.add(resolve));
  }

  private async read(body: AsyncIterable<Uint8Array>): Promise<void> {
    const parser = createParser({
      onEvent: ({ event, id, data }: EventSourceMessage) => {
        this.events.push({ event, id, data: JSON.parse(data) });
      },
      onComment: () => {
        this.comments += 1;
      },
    });
    const decoder = new TextDecoder();
    try {
      for await (const chunk of body) {
        parser.feed(decoder.decode(chunk, { stream: true }));
        this.tell();
      }
    } catch {
      // closed, or the connection broke
    }
    this.isEnded = true;
    this.tell();
  }

  private tell(): void {
    const waiting = [...this.changed];
    this.changed.clear();
    waiting.forEach((resolve) => resolve());
  }
}
