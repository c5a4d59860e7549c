import { once } from 'node:events';
import type { Response } from 'express';

const KEEP_ALIVE_MS = 15_000;

/** Server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html) as the answer to a request. */
export class EventStream {
  constructor(
    private readonly response: Response,
    private readonly signal: AbortSignal,
  ) {}

  /** Starts the answer. Disposing of the result stops the keep-alive comments, but does not end the answer. */
  begin(): Disposable {
    this.response.status(200).set({ 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
    this.response.flushHeaders();
    // Comments keep gateways from closing the connection as idle.
    const keepAlive = setInterval(() => this.response.write(':\n\n'), KEEP_ALIVE_MS);
    return { [Symbol.dispose]: () => clearInterval(keepAlive) };
  }

  /** Resolves when the next event may be sent. @throws the signal's reason when it aborts first */
  async send(event: string, data: unknown): Promise<void> {
    this.signal.throwIfAborted();
    if (!this.response.write(format(event, data))) {
      await once(this.response, 'drain', { signal: this.signal });
    }
  }

  /** Sends the last event and ends the answer. */
  end(event: string, data: unknown): void {
    this.response.end(format(event, data));
  }
}

/** A line break would end the `data` field; JSON has none. */
function format(event: string, data: unknown): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
