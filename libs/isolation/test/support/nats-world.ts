import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type NatsConnection, type NodeConnectionOptions } from '@nats-io/transport-node';
import { parseNamespaceId, type NamespaceId } from '@palisade/domain';
import { NatsDriver, type NatsDriverOptions } from '../../src/backends/nats/nats-driver.js';
import { NatsLink } from '../../src/backends/nats/nats-link.js';
import type { ScopedNats } from '../../src/backends/nats/scoped-nats.js';
import { findFreePort } from '../../../../test/support/free-port.js';
import { NatsProcess } from './nats-process.js';
import { waitUntil } from './wait-until.js';
import { WorkContext } from './work-context.js';

export const ACME = parseNamespaceId('acme');
export const BOLT = parseNamespaceId('bolt');

export interface NatsWorldOptions {
  /** Configuration of the server besides addresses and the directory of streams. */
  readonly config?: string;
  /** Files that the configuration includes, by their names. */
  readonly files?: Readonly<Record<string, string>>;
  /** Who looks at it from outside, and may do everything. */
  readonly observer?: NodeConnectionOptions;
}

/** A NATS server with JetStream of the suite's own, looked at from outside. */
export class NatsWorld implements AsyncDisposable {
  private constructor(
    readonly server: NatsProcess,
    readonly directory: string,
    readonly port: number,
    readonly monitorUrl: string,
    readonly observer: NatsConnection,
  ) {}

  static async start({ config = '', files = {}, observer = {} }: NatsWorldOptions = {}): Promise<NatsWorld> {
    const directory = await mkdtemp(join(tmpdir(), 'palisade-nats-'));
    const [port, monitorPort] = [await findFreePort(), await findFreePort()];
    const addresses = `listen: "127.0.0.1:${port}"\nhttp: "127.0.0.1:${monitorPort}"\n`;
    const streams = `jetstream { store_dir: "${join(directory, 'streams')}" }\n`;
    const contents = { ...files, 'server.conf': `${addresses}${streams}${config}\n` };
    for (const [name, content] of Object.entries(contents)) {
      await writeFile(join(directory, name), content);
    }
    const server = new NatsProcess(join(directory, 'server.conf'));
    await server.start();
    const outside = await connect({ servers: `nats://127.0.0.1:${port}`, ...observer });
    return new NatsWorld(server, directory, port, `http://127.0.0.1:${monitorPort}`, outside);
  }

  get url(): string {
    return `nats://127.0.0.1:${this.port}`;
  }

  get configFile(): string {
    return join(this.directory, 'server.conf');
  }

  driver(options: Partial<NatsDriverOptions> = {}): NatsDriver {
    return new NatsDriver({ config: { servers: this.url }, ...options });
  }

  /** Connections of others, as the server's monitor lists them. */
  async connections(): Promise<{ cid: number; subscriptions: number }[]> {
    const response = await fetch(`${this.monitorUrl}/connz?limit=1024`);
    const { connections } = (await response.json()) as { connections: { cid: number; subscriptions: number }[] };
    return connections.filter(({ cid }) => cid !== this.observer.info?.client_id);
  }

  async waitForNone(): Promise<void> {
    await waitUntil(async () => (await this.connections()).length === 0, 'no connections are left');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.observer.close();
    await this.server.stop();
    await rm(this.directory, { recursive: true, force: true });
  }
}

/** A connection of its own with a client of a namespace on it. */
export class NatsWork implements AsyncDisposable {
  private constructor(
    readonly driver: NatsDriver,
    readonly link: NatsLink,
    readonly context: WorkContext,
    readonly nats: ScopedNats,
  ) {}

  static async begin(driver: NatsDriver, namespace: NamespaceId = ACME): Promise<NatsWork> {
    const link = NatsLink.of(await driver.connect(namespace, new AbortController().signal));
    const context = new WorkContext();
    return new NatsWork(driver, link, context, driver.scope(link, namespace, context));
  }

  /** Another piece of work on the same connection. */
  next(namespace: NamespaceId = ACME): ScopedNats {
    return this.driver.scope(this.link, namespace, new WorkContext());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.nats[Symbol.asyncDispose]();
    await this.driver.close(this.link);
  }
}

/** The next message of a subscription, or of anything that can be consumed. */
export async function next<T>(messages: AsyncIterable<T>): Promise<T> {
  const { done, value } = await messages[Symbol.asyncIterator]().next();
  if (done === true) {
    throw new Error('there are no more messages');
  }
  return value;
}
