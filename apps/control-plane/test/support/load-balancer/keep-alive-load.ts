import { Agent, request } from 'node:http';
import { NAMESPACE_HEADER, type BalancerUnderTest } from './balancer-under-test.js';
import type { ProxyAnswer } from './proxies.js';

export interface LoadOptions {
  readonly port: number;
  readonly connections: number;
  /** The headers of the next request. */
  readonly headers: () => Readonly<Record<string, string>>;
}

/** Clients that send one request after the other, each on a connection that it keeps, and never try again. */
export class KeepAliveLoad implements AsyncDisposable {
  succeeded = 0;
  /** What went wrong, by what it was. */
  readonly failures = new Map<string, number>();
  private readonly agent: Agent;
  private readonly clients: Promise<unknown>;
  private isStopping = false;

  constructor(private readonly options: LoadOptions) {
    this.agent = new Agent({ keepAlive: true, maxSockets: options.connections });
    this.clients = Promise.all(Array.from({ length: options.connections }, () => this.work()));
  }

  /** Resolves when all clients have ended. */
  async stop(): Promise<void> {
    this.isStopping = true;
    await this.clients;
    this.agent.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  private async work(): Promise<void> {
    while (!this.isStopping) {
      const failure = await this.send();
      if (failure === undefined) {
        this.succeeded += 1;
      } else {
        this.failures.set(failure, (this.failures.get(failure) ?? 0) + 1);
      }
    }
  }

  private send(): Promise<string | undefined> {
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    const { port, headers } = this.options;
    request({ host: '127.0.0.1', port, agent: this.agent, headers: headers() }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode === 200 ? undefined : `status ${response.statusCode}`));
      response.once('error', (error) => resolve(`answer: ${error.message}`));
    })
      .once('error', (error) => resolve(`request: ${error.message}`))
      .end();
    return promise;
  }
}

/** A client that sends all requests on one connection, as long as the other side keeps it. */
export class KeptConnection implements Disposable {
  connections = 0;
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(
    private readonly under: BalancerUnderTest,
    private readonly namespace: string,
  ) {}

  /** The proxy that it gets to, else the status in its place. */
  get(): Promise<string | number> {
    const { promise, resolve, reject } = Promise.withResolvers<string | number>();
    const { host, port } = this.under.settings.bind;
    const asked = request(
      { host, port, agent: this.agent, headers: { [NAMESPACE_HEADER]: this.namespace } },
      (response) => {
        let body = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          body += chunk;
        });
        response.once('end', () => {
          const { statusCode = 0 } = response;
          resolve(statusCode === 200 ? (JSON.parse(body) as ProxyAnswer).id : statusCode);
        });
      },
    );
    asked.once('error', reject);
    asked.once('socket', () => {
      this.connections += asked.reusedSocket ? 0 : 1;
    });
    asked.end();
    return promise;
  }

  [Symbol.dispose](): void {
    this.agent.destroy();
  }
}
