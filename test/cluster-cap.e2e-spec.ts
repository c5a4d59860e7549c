import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, type ClientConfig } from 'pg';
import { ADMIN_TOKEN, ControlApp } from '../apps/control-plane/test/support/control-app.js';
import { ServerObserver } from '../libs/isolation/test/support/postgres-server.js';
import { waitUntil } from '../libs/isolation/test/support/wait-until.js';

const ROOT = join(import.meta.dirname, '..');
const CAP = 12;
const SILENCE_MS = 2000;
const SETTINGS = `
deployment: { model: multi_tenant }
proxy_pools:
  standard: { replicas: 4, isolation_level: namespace }
connection_pools:
  postgres: { max_total_connections: ${CAP} }
`;

interface Told {
  readonly served: Readonly<Record<string, number>>;
  readonly active: number;
  readonly open: number;
  readonly part: number;
}

/** A proxy in a process of its own. */
class CappedProxy {
  told: Told = { served: {}, active: 0, open: 0, part: 0 };
  readonly ready: Promise<unknown>;
  readonly #child: ChildProcess;

  constructor(id: string, options: { readonly url: string; readonly config: ClientConfig }) {
    const given = {
      id,
      pool: 'standard',
      token: ADMIN_TOKEN,
      cap: CAP,
      silenceMs: SILENCE_MS,
      statementMs: 20,
      ...options,
    };
    this.#child = spawn(
      process.execPath,
      [
        '--import',
        join(ROOT, 'bench/isolation/typescript-hooks.mjs'),
        join(ROOT, 'bench/governed/capped-proxy.mjs'),
        JSON.stringify(given),
      ],
      { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], env: { ...process.env, NODE_OPTIONS: '' } },
    );
    this.ready = once(this.#child, 'message');
    this.#child.on('message', (message) => {
      this.told = { ...this.told, ...(message as Partial<Told>) };
    });
  }

  want(count: number): void {
    this.#child.send({ want: { acme: count } });
  }

  signal(signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT' | 'SIGTERM'): void {
    this.#child.kill(signal);
  }

  async end(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      const exited = once(this.#child, 'exit');
      this.#child.kill('SIGCONT');
      this.#child.kill('SIGKILL');
      await exited;
    }
  }
}

describe('a cap over several proxies', () => {
  let app: ControlApp;
  let config: ClientConfig;
  let observer: Client;
  const sampled = new AbortController();
  let sampling: Promise<void>;
  let samples = 0;
  let highest = 0;
  const proxies: CappedProxy[] = [];

  beforeAll(async () => {
    app = await ControlApp.start({ yaml: SETTINGS });
    const server = await ServerObserver.connect();
    config = { ...server.config, application_name: `cap-${randomBytes(4).toString('hex')}` };
    await server[Symbol.asyncDispose]();
    observer = new Client(server.config);
    await observer.connect();
    sampling = sample();
  });

  afterAll(async () => {
    sampled.abort();
    await sampling;
    await Promise.all(proxies.map((proxy) => proxy.end()));
    await observer.end();
    await app.close();
  });

  async function countConnections(): Promise<number> {
    const { rows } = await observer.query<{ count: number }>(
      'select count(*)::int as count from pg_stat_activity where application_name like $1',
      [`${config.application_name}/%`],
    );
    return rows[0]?.count ?? 0;
  }

  async function sample(): Promise<void> {
    while (!sampled.signal.aborted) {
      highest = Math.max(highest, await countConnections());
      samples++;
      // As often as possible without being load itself.
      await sleep(5);
    }
  }

  async function start(id: string): Promise<CappedProxy> {
    const proxy = new CappedProxy(id, { url: await app.origin(), config });
    proxies.push(proxy);
    await proxy.ready;
    return proxy;
  }

  it('is kept while proxies are killed, stopped and come back, and is used by who needs it', async () => {
    const [a, b, c] = await Promise.all(['a', 'b', 'c'].map(start));
    if (a === undefined || b === undefined || c === undefined) {
      throw new Error('three proxies were started');
    }

    // One needs everything.
    a.want(30);
    await waitUntil(() => a.told.part >= CAP - 4, 'one proxy has nearly all');
    // Then all do.
    b.want(30);
    c.want(30);
    await waitUntil(() => [a, b, c].every(({ told }) => told.part === CAP / 3 && told.active > 0), 'each has a third');

    // What they report is what the server counts.
    const isTold = async () => {
      const { body } = await app.api('get', '/usage');
      const { in_use: inUse = 0, idle = 0 } = body.connections.postgres ?? {};
      return inUse + idle === (await countConnections()) && inUse > 0;
    };
    await waitUntil(isTold, 'usage is what the server counts');

    // A process that is stopped with everything in use gets no more, and nobody else gets what it has too early.
    a.signal('SIGSTOP');
    // Longer than the server keeps its connections.
    await sleep(SILENCE_MS + 3000);
    const successor = await start('b');
    b.signal('SIGKILL');
    successor.want(30);
    // While some of its predecessor's part is not known to be free.
    await sleep(1000);
    a.signal('SIGCONT');
    await waitUntil(() => a.told.active > 0 && c.told.active > 0 && successor.told.part > 0, 'all are served');

    // One that ends as it should leaves everything to the others at once.
    a.want(0);
    c.signal('SIGTERM');
    await waitUntil(() => successor.told.part > CAP / 3, 'the part of one that has ended goes to others');

    expect(highest).toBeLessThanOrEqual(CAP);
    expect(highest).toBeGreaterThanOrEqual(CAP - 2);
    expect(samples).toBeGreaterThan(100);
  });
});
