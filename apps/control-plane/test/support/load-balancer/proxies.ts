import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ProxyAnswer {
  readonly id: string;
  readonly url: string;
  /** Every value that the namespace header had. */
  readonly namespaces: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
}

/** A proxy that answers every request with who it is and what it got. */
export class EchoProxy implements AsyncDisposable {
  requests = 0;

  private constructor(
    readonly id: string,
    readonly port: number,
    private readonly close: () => Promise<void>,
  ) {}

  static async start(id: string, delayMs = 0): Promise<EchoProxy> {
    const server = createServer({ keepAliveTimeout: 600_000 }, (request, response) => {
      proxy.requests += 1;
      setTimeout(answer, delayMs, id, request, response);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const proxy = new EchoProxy(id, (server.address() as AddressInfo).port, async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    });
    return proxy;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

function answer(id: string, request: IncomingMessage, response: ServerResponse): void {
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  const namespaces = request.headersDistinct['x-palisade-namespace'] ?? [];
  response
    .setHeader('Content-Type', 'application/json')
    .end(JSON.stringify({ id, url: request.url, namespaces, headers }));
}
