import { once } from 'node:events';
import http, { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import type { ClusterAccess } from '../../../src/kubernetes/api/cluster-access.js';
import type { Json } from './merge-patch.js';

export interface Substitute {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What happens to the next requests that match, as `<method> <path>`. */
interface Intervention {
  readonly match: RegExp;
  /** The request is answered with this, and goes no further. */
  readonly substitute?: Substitute;
  /** Happens before the request goes on. */
  readonly hook?: (url: URL) => Promise<void> | void;
}

/**
 * A way to an API server on which anything can go wrong. What comes here is sent on with the credentials that the access
 * has, so that whoever uses it needs none.
 */
export class ApiLink implements AsyncDisposable {
  /** What has come, as `<method> <path and query>`. */
  readonly requests: string[] = [];
  /** Changes objects on their way, in lists and in watches. */
  distort: (object: Json) => unknown = (object) => object;
  private readonly interventions: Intervention[] = [];
  private readonly watches = new Set<ServerResponse>();
  private isStalled = false;
  private cutsInLine = false;
  private server: Server | undefined;
  private portNumber = 0;

  constructor(
    private readonly upstream: ClusterAccess,
    private readonly headers: Readonly<Record<string, string>> = {},
  ) {}

  get url(): string {
    return `http://127.0.0.1:${this.portNumber}`;
  }

  get openWatches(): number {
    return this.watches.size;
  }

  /** Lets requests through, again on the same port after {@link down}. */
  async up(): Promise<void> {
    const server = createServer((request, response) => void this.forward(request, response));
    server.listen(this.portNumber, '127.0.0.1');
    await once(server, 'listening');
    this.portNumber = (server.address() as AddressInfo).port;
    this.server = server;
  }

  /** Ends all connections, and accepts no more. */
  async down(): Promise<void> {
    const { server } = this;
    this.server = undefined;
    if (server !== undefined) {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    }
  }

  /** Ends the watches that are open. */
  cut(): void {
    for (const response of this.watches) {
      response.destroy();
    }
  }

  /** The next event ends in the middle of its line, and its connection too. */
  cutInNextLine(): void {
    this.cutsInLine = true;
  }

  /** Of watches nothing comes any more, not even their end; connections stay. */
  stall(): void {
    this.isStalled = true;
  }

  /** For watches that begin from now on. */
  recover(): void {
    this.isStalled = false;
  }

  /** Answers the next request that matches. */
  answerNext(match: RegExp, substitute: Substitute, times = 1): void {
    this.interventions.push(...Array.from({ length: times }, () => ({ match, substitute })));
  }

  /** Does something before the next request that matches goes on. */
  beforeNext(match: RegExp, hook: (url: URL) => Promise<void> | void): void {
    this.interventions.push({ match, hook });
  }

  /** Forgets what was to happen to requests that have not come. */
  clear(): void {
    this.interventions.length = 0;
    this.cutsInLine = false;
    this.isStalled = false;
    this.distort = (object) => object;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.down();
    this.upstream.close();
  }

  private async forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', 'http://link');
    this.requests.push(`${request.method} ${url.pathname}${url.search}`);
    const substitute = await this.intervene(`${request.method} ${url.pathname}${url.search}`, url);
    if (substitute !== undefined) {
      response.writeHead(substitute.status, { 'Content-Type': 'application/json', ...substitute.headers });
      response.end(substitute.body);
      return;
    }
    try {
      const answer = await this.send(request, url);
      response.writeHead(answer.statusCode ?? 0, { 'Content-Type': answer.headers['content-type'] });
      await (url.searchParams.get('watch') === 'true' ? this.relay(answer, response) : this.copy(answer, response));
    } catch {
      // Whatever went wrong, whoever asked sees the end of the connection.
      response.destroy();
    }
  }

  private async intervene(what: string, url: URL): Promise<Substitute | undefined> {
    const at = this.interventions.findIndex(({ match }) => match.test(what));
    const [intervention] = at === -1 ? [] : this.interventions.splice(at, 1);
    await intervention?.hook?.(url);
    return intervention?.substitute;
  }

  private async send(request: IncomingMessage, url: URL): Promise<IncomingMessage> {
    const { server, options } = await this.upstream.connection();
    const { 'content-type': contentType, 'content-length': contentLength } = request.headers;
    const headers = {
      ...(options.headers as Record<string, string>),
      ...this.headers,
      ...(contentType !== undefined && { 'Content-Type': contentType }),
      ...(contentLength !== undefined && { 'Content-Length': contentLength }),
    };
    const target = new URL(`${server}${url.pathname}${url.search}`);
    const { request: open } = target.protocol === 'http:' ? http : https;
    const sent = open(target, { ...options, method: request.method, headers });
    request.pipe(sent);
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    return answer;
  }

  private async copy(answer: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      chunks.push(chunk);
    }
    const text = Buffer.concat(chunks).toString('utf8');
    const body = text.startsWith('{') ? (JSON.parse(text) as Json) : undefined;
    const items = body?.['items'];
    response.end(Array.isArray(items) ? JSON.stringify({ ...body, items: items.map(this.distort) }) : text);
  }

  private async relay(answer: IncomingMessage, response: ServerResponse): Promise<void> {
    if (response.destroyed) {
      answer.destroy();
      return;
    }
    this.watches.add(response);
    response.once('close', () => {
      this.watches.delete(response);
      answer.destroy();
    });
    response.flushHeaders();
    let isStalled = this.isStalled;
    for await (const line of createInterface(answer)) {
      isStalled ||= this.isStalled;
      if (isStalled) {
        continue;
      }
      const event = JSON.parse(line) as Json;
      const sent = `${JSON.stringify({ ...event, object: this.distort(event['object'] as Json) })}\n`;
      if (this.cutsInLine && event['type'] !== 'BOOKMARK') {
        this.cutsInLine = false;
        response.write(sent.slice(0, sent.length / 2), () => response.destroy());
        return;
      }
      response.write(sent);
    }
    if (!isStalled && !this.isStalled) {
      response.end();
    }
  }
}
