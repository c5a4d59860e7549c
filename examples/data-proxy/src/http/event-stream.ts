import { once } from 'node:events';
import type { Response } from 'express';

const HEARTBEAT_MS = 15_000;

/** Server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html) as the answer to a request. */
export class EventStream {
  constructor(
    private readonly response: Response,
    private readonly signal: AbortSignal,
  ) {}

  /** From here on the answer has begun. Disposing of what it returns ends the heartbeat, and not the answer. */
  begin(): Disposable {
    this.response.status(200).set({ 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
    this.response.flushHeaders();
    // A comment, so that nobody between takes the connection for a dead one.
    const heartbeat = setInterval(() => this.response.write(':\n\n'), HEARTBEAT_MS);
    return { [Symbol.dispose]: () => clearInterval(heartbeat) };
  }

  /** Resolves when the client may be sent the next one. @throws when the signal aborts first */
  async send(event: string, data: unknown): Promise<void> {
    this.signal.throwIfAborted();
    if (!this.response.write(format(event, data))) {
      await once(this.response, 'drain', { signal: this.signal });
    }
  }

  /** Sends the last one. */
  end(event: string, data: unknown): void {
    this.response.end(format(event, data));
  }
}

/** JSON has no line breaks, which would end the field. */
function format(event: string, data: unknown): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
