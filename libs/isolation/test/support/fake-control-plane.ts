import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type {
  AccessAnswerDocument,
  AccessChange,
  AccessQuestionDocument,
  CapPart,
  CompletePolicy,
  PolicyChange,
  ProxyHeartbeat,
} from '@palisade/domain';

export const FAKE_TOKEN = 'token-of-the-fake-control-plane';

export const NO_CHANGE: AccessChange = { users: [], namespaces: [], providers: [] };

/** A control plane's API for proxies over HTTP, of which tests decide what it says. */
export class FakeControlPlane implements AsyncDisposable {
  readonly heartbeats: ProxyHeartbeat[] = [];
  readonly registrations: unknown[] = [];
  /** Questions of each request. */
  readonly questions: (readonly AccessQuestionDocument[])[] = [];
  /** `Last-Event-ID` of each stream that was opened. */
  readonly resumedAfter: (string | undefined)[] = [];
  readonly removed: string[] = [];
  readonly streams = new Set<ServerResponse>();
  token = FAKE_TOKEN;
  isKnown = false;
  heartbeatIntervalSeconds = 60;
  caps: Readonly<Record<string, CapPart>> | undefined = undefined;
  /** Sent when a stream is opened. */
  greeting: readonly string[] = [];
  /** Answers instead, unless it returns false. */
  handle: ((request: IncomingMessage, response: ServerResponse) => unknown) | undefined = undefined;
  answer: (question: AccessQuestionDocument) => AccessAnswerDocument | Promise<AccessAnswerDocument> = () => ({
    allowed: true,
  });

  private constructor(private readonly server: Server) {}

  static async start(): Promise<FakeControlPlane> {
    const server = createServer();
    const fake = new FakeControlPlane(server);
    server.on('request', (request, response) => void fake.#serve(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return fake;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Sends text on all streams as it stands. */
  write(text: string): void {
    for (const stream of this.streams) {
      stream.write(text);
    }
  }

  sendPolicy(document: CompletePolicy): void {
    this.write(eventOf('policy', document, idOf(document)));
  }

  sendChange(document: PolicyChange, configuration: string): void {
    this.write(eventOf('change', document, `${configuration}:${document.revision}`));
  }

  sendAccess(change: Partial<AccessChange> = {}): void {
    this.write(eventOf('access', { ...NO_CHANGE, ...change }));
  }

  /** Cuts all connections. */
  cut(): void {
    this.server.closeAllConnections();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.cut();
    await closed;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url = '' } = request;
    if (this.handle !== undefined && this.handle(request, response) !== false) {
      return;
    }
    if (request.headers.authorization !== `Bearer ${this.token}`) {
      reply(response, 401, { code: 'UNAUTHENTICATED' });
      return;
    }
    const [, id = '', what] = /^\/api\/v1\/proxies(?:\/([^/]+))?(?:\/(\w+))?$/.exec(url) ?? [];
    const body = await readJson(request);
    if (method === 'POST' && id === '') {
      this.isKnown = true;
      this.registrations.push(body);
      reply(response, 201, this.#duties());
    } else if (!this.isKnown) {
      reply(response, 404, { code: 'PROXY_NOT_FOUND' });
    } else if (method === 'DELETE') {
      this.removed.push(id);
      reply(response, 204);
    } else if (what === 'heartbeat') {
      this.heartbeats.push(body as ProxyHeartbeat);
      reply(response, 200, this.#duties());
    } else if (what === 'access') {
      const { questions } = body as { readonly questions: readonly AccessQuestionDocument[] };
      this.questions.push(questions);
      reply(response, 200, { answers: await Promise.all(questions.map((question) => this.answer(question))) });
    } else {
      this.#openStream(request, response);
    }
  }

  #openStream(request: IncomingMessage, response: ServerResponse): void {
    const after = request.headers['last-event-id'];
    this.resumedAfter.push(Array.isArray(after) ? after[0] : after);
    this.streams.add(response);
    response.on('close', () => this.streams.delete(response));
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(': open\n\n');
    this.greeting.forEach((text) => response.write(text));
  }

  #duties(): object {
    return {
      heartbeat_interval_seconds: this.heartbeatIntervalSeconds,
      ...(this.caps && { caps: this.caps }),
    };
  }
}

export function eventOf(type: string, document: object, id?: string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${type}\ndata: ${JSON.stringify(document)}\n\n`;
}

function idOf({ configuration, revision }: CompletePolicy): string {
  return `${configuration}:${revision}`;
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) {
    chunks.push(chunk as Buffer);
  }
  return chunks.length === 0 ? undefined : JSON.parse(Buffer.concat(chunks).toString());
}

function reply(response: ServerResponse, status: number, body?: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(body && JSON.stringify(body));
}
