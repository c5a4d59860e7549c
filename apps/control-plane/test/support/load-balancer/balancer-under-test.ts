import { access, mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { request as requestSecurely } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LoadBalancerVersion } from '@palisade/domain';
import { createLoadBalancer, type LoadBalancerParts } from '../../../src/load-balancer/create-load-balancer.js';
import type { DesiredState } from '../../../src/routing/table/desired-state.js';
import { HaproxySocket } from '../../../src/load-balancer/haproxy/haproxy-socket.js';
import type { LoadBalancer } from '../../../src/load-balancer/load-balancer.js';
import type { LoadBalancerSettings } from '../../../src/config/control-plane-settings.js';
import type { ProxyAnswer } from './proxies.js';
import { ServerProgram } from './server-program.js';
import { findFreePort } from '../../../../../test/support/free-port.js';

export const NAMESPACE_HEADER = 'X-Palisade-Namespace';
const CONFIG_FILES = { haproxy: 'haproxy.cfg', nginx: 'nginx.conf', envoy: 'envoy.json' };

export interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

export interface BalancerOptions {
  readonly type: LoadBalancerSettings['type'];
  readonly binary: string;
  /** May depend on the directory, where HAProxy's file `pid` is. */
  readonly settings?: (directory: string) => Partial<LoadBalancerSettings>;
  readonly parts?: (settings: LoadBalancerSettings) => LoadBalancerParts;
}

/** A load balancer that runs, from nothing but what {@link LoadBalancer} has written. */
export class BalancerUnderTest implements AsyncDisposable {
  private program: ServerProgram | undefined;

  private constructor(
    readonly settings: LoadBalancerSettings,
    readonly directory: string,
    /** Another one that is made for the same settings knows nothing of what this one did. */
    readonly create: () => LoadBalancer,
    readonly balancer: LoadBalancer,
  ) {}

  /** Not running yet, and nothing is written. */
  static async prepare(options: BalancerOptions): Promise<BalancerUnderTest> {
    const directory = await mkdtemp(join(tmpdir(), 'palisade-lb-'));
    const settings: LoadBalancerSettings = {
      type: options.type,
      binary: options.binary,
      configPath: join(directory, CONFIG_FILES[options.type]),
      bind: { host: '127.0.0.1', port: await findFreePort() },
      ...(options.type === 'haproxy'
        ? { masterSocket: join(directory, 'master.sock'), runtimeSocket: join(directory, 'run.sock') }
        : {}),
      namespaceHeader: NAMESPACE_HEADER,
      namespaceSource: 'header',
      coalesceMs: 0,
      commandTimeoutMs: 10_000,
      driftIntervalMs: 60_000,
      policyWaitMs: 2000,
      ...options.settings?.(directory),
    };
    const create = (): LoadBalancer => createLoadBalancer(settings, options.parts?.(settings));
    return new BalancerUnderTest(settings, directory, create, create());
  }

  /** Running, and doing what the state says. */
  static async start(state: DesiredState, options: BalancerOptions): Promise<BalancerUnderTest> {
    const under = await BalancerUnderTest.prepare(options);
    try {
      // Nobody is there yet to load it.
      requireResult(await under.apply(state), 'failed');
      await under.run();
      requireResult(await under.apply(state), 'unchanged', 'applied');
      return under;
    } catch (error) {
      await under[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Starts what was installed. */
  async run(): Promise<void> {
    this.program = await ServerProgram.start(this.command(), (output) => this.isReady(output));
  }

  async stop(): Promise<void> {
    await this.program?.[Symbol.asyncDispose]();
    this.program = undefined;
  }

  apply(state: DesiredState): Promise<LoadBalancerVersion> {
    return this.balancer.apply(state, 'test');
  }

  /** What the running HAProxy answers on its runtime socket. */
  ask(command: string): Promise<string> {
    return new HaproxySocket(this.settings.runtimeSocket ?? '', 5000).ask(command);
  }

  get output(): string {
    return this.program?.output ?? '';
  }

  /** A request on a connection of its own. */
  get(headers: Readonly<Record<string, string | string[]>>, path = '/'): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const { host, port } = this.settings.bind;
    const options = { host, port, path, headers, agent: false, rejectUnauthorized: false };
    const send = this.settings.certificateFile === undefined ? request : requestSecurely;
    send(options, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        body += chunk;
      });
      response.once('end', () => {
        resolve({ status: response.statusCode ?? 0, contentType: response.headers['content-type'] ?? '', body });
      });
    })
      .once('error', reject)
      .end();
    return promise;
  }

  /** The proxy that a request of this namespace gets to, else the status in its place. */
  async routeOf(namespace: string): Promise<string | number> {
    const { status, body } = await this.get({ [NAMESPACE_HEADER]: namespace });
    return status === 200 ? (JSON.parse(body) as ProxyAnswer).id : status;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.balancer.settle();
    await this.stop();
    await rm(this.directory, { recursive: true, force: true });
  }

  private command(): string[] {
    const { type, binary, configPath, masterSocket = '' } = this.settings;
    switch (type) {
      case 'haproxy':
        return [
          binary,
          '-W',
          '-p',
          join(this.directory, 'pid'),
          ...(masterSocket === '' ? [] : ['-S', masterSocket]),
          '-f',
          configPath,
        ];
      case 'nginx':
        return [binary, '-c', configPath, '-g', 'daemon off;'];
      case 'envoy':
        return [binary, '-c', configPath, '--use-dynamic-base-id', '--concurrency', '1', '-l', 'warning'];
    }
  }

  /** NGINX writes its pid late, and HAProxy's master listens, and hears signals, later than its worker. */
  private async isReady(output: string): Promise<boolean> {
    const { type, configPath, masterSocket } = this.settings;
    await this.get({});
    await (type === 'nginx' ? access(`${configPath}.pid`) : undefined);
    await (masterSocket === undefined ? undefined : new HaproxySocket(masterSocket, 1000).ask('show proc'));
    return type !== 'haproxy' || output.includes('Loading success');
  }
}

function requireResult({ result, reason }: LoadBalancerVersion, ...expected: LoadBalancerVersion['result'][]): void {
  if (!expected.includes(result)) {
    throw new Error(`expected a state to be ${expected.join(' or ')}, found ${result}: ${reason}`);
  }
}
