import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { setImmediate as pendingEvents } from 'node:timers/promises';

export interface ClientRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: object;
}

export interface ClientAnswer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

/** One connection to one server, one request at a time. A request that fails is never sent again. */
export class KeepAliveClient {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(readonly origin: string) {}

  /** Whether the server keeps a connection open on which it has not said that it closes it. */
  async isConnected(): Promise<boolean> {
    // What the server has said until now must have been read.
    await pendingEvents();
    return Object.keys(this.agent.freeSockets).length > 0;
  }

  /** Rejects when the answer is not there, or is not whole. */
  async send({ method, path, headers, body }: ClientRequest): Promise<ClientAnswer> {
    const json = body === undefined ? undefined : JSON.stringify(body);
    const sent = request(`${this.origin}${path}`, {
      method,
      agent: this.agent,
      headers: { ...headers, ...(json !== undefined && { 'Content-Length': Buffer.byteLength(json) }) },
    });
    sent.end(json);
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    const content = await text(answer);
    return { status: answer.statusCode ?? 0, headers: answer.headers, text: content };
  }

  close(): void {
    this.agent.destroy();
  }
}
