import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { readSpans, type ReceivedSpan } from './received-span.js';

/** `hang`: takes what comes and answers nothing. */
export type ReceiverMood = 'accept' | 'fail' | 'hang';

export interface Delivery {
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

const POLL_MS = 20;

/** Receives traces over OTLP/HTTP, as a collector does. */
export class OtlpReceiver implements AsyncDisposable {
  mood: ReceiverMood = 'accept';
  readonly deliveries: Delivery[] = [];

  private constructor(private readonly server: Server) {
    server.on('request', (request: IncomingMessage, response: ServerResponse) => void this.receive(request, response));
  }

  static async start(): Promise<OtlpReceiver> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new OtlpReceiver(server);
  }

  /** For `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  get endpoint(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** What has come as JSON and was accepted. */
  get spans(): ReceivedSpan[] {
    return this.deliveries.flatMap(({ body }) => readSpans(body));
  }

  /** Every byte that has come. */
  get bytes(): Buffer {
    return Buffer.concat(this.deliveries.map(({ body }) => body));
  }

  /** The spans of a trace, once all that must be among them are there. */
  async trace(traceId: string, isComplete: (spans: readonly ReceivedSpan[]) => boolean): Promise<ReceivedSpan[]> {
    for (;;) {
      const spans = this.spans.filter((span) => span.traceId === traceId);
      if (isComplete(spans)) {
        return spans;
      }
      // Nothing tells when another process sends its next spans; the time limit of the test ends what never comes.
      await sleep(POLL_MS);
    }
  }

  async untilDelivery(isAwaited: (delivery: Delivery) => boolean): Promise<void> {
    while (!this.deliveries.some(isAwaited)) {
      await sleep(POLL_MS);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    this.deliveries.push({ path: request.url, headers: request.headers, body });
    if (this.mood !== 'hang') {
      response.writeHead(this.mood === 'accept' ? 200 : 500, { 'Content-Type': 'application/json' }).end('{}');
    }
  }
}
