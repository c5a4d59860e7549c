import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** A gateway before a service: rejects bulk requests on demand, or runs an action after the service's answer and then cuts the connection. */
export class CuttingGateway implements AsyncDisposable {
  bulkRequests = 0;
  /** Which answer does not arrive, from 1. */
  cutAt = Infinity;
  onCut: () => void = () => undefined;
  /** The status, and seconds until the next attempt, with which a bulk request of this position and size is not passed on. */
  reject: (position: number, bytes: number) => { readonly status: number; readonly retryAfter?: number } | undefined =
    () => undefined;

  /** What each request waits for before it is passed on. */
  before: (request: IncomingMessage) => Promise<unknown> = () => Promise.resolve();

  private constructor(
    private readonly server: Server,
    /** Address of the service; it may come back elsewhere. */
    public target: string,
  ) {
    server.on('request', (request, response) => {
      // What cannot be passed on is cut.
      this.serve(request, response).catch(() => request.socket.destroy());
    });
  }

  static async start(target: string): Promise<CuttingGateway> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new CuttingGateway(server, target);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const answer = await this.pass(request);
    if (answer === undefined) {
      request.socket.destroy();
      return;
    }
    const passed = ['Content-Type', 'Retry-After'].flatMap((name) => {
      const value = answer.headers.get(name);
      return value === null ? [] : [[name, value] as const];
    });
    response.writeHead(answer.status, Object.fromEntries(passed));
    response.end(await answer.text());
  }

  /** The answer to pass on; undefined when it is to be cut. */
  private async pass(request: IncomingMessage): Promise<Response | undefined> {
    const body = await buffer(request);
    const { authorization = '', 'content-type': type = '', 'if-match': version = '' } = request.headers;
    const isBulk = request.url === '/scim/v2/Bulk';
    const position = isBulk ? ++this.bulkRequests : 0;
    const rejection = isBulk ? this.reject(position, body.length) : undefined;
    if (rejection !== undefined) {
      const { status, retryAfter } = rejection;
      return new Response('', {
        status,
        ...(retryAfter !== undefined && { headers: { 'Retry-After': String(retryAfter) } }),
      });
    }
    await this.before(request);
    const answer = await fetch(`${this.target}${request.url}`, {
      method: request.method ?? 'GET',
      headers: {
        Authorization: authorization,
        ...(type !== '' && { 'Content-Type': type }),
        ...(version !== '' && { 'If-Match': version }),
      },
      ...(body.length > 0 && { body }),
    });
    if (position !== this.cutAt) {
      return answer;
    }
    await answer.text();
    this.onCut();
    return undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}
