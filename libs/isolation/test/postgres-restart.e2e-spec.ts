import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseNamespaceId } from '@palisade/domain';
import type { Client } from 'pg';
import { PostgresDriver } from '../src/backends/postgres/postgres-driver.js';
import { BackendUnavailableError } from '../src/pools/errors/backend-unavailable.error.js';
import { NamespacePools } from '../src/pools/namespace-pools.js';
import { OwnServer } from './support/own-server.js';

const NAMESPACES = ['acme', 'bolt', 'crow', 'dawn'].map(parseNamespaceId);
const CLIENTS_PER_NAMESPACE = 10;
const OUTAGE_MS = 2000;
const RECOVERY_MS = 5000;

let server: OwnServer;

beforeAll(async () => {
  server = await OwnServer.start();
}, 60_000);

afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

/** Clients of all namespaces that never stop asking, whatever they are told. */
class Load {
  jobs = 0;
  readonly refusals: unknown[] = [];
  readonly #end = new AbortController();
  readonly #clients: readonly Promise<void>[];

  constructor(pools: NamespacePools<Client>) {
    this.#clients = NAMESPACES.flatMap((namespace) =>
      Array.from({ length: CLIENTS_PER_NAMESPACE }, async () => {
        while (!this.#end.signal.aborted) {
          try {
            using lease = await pools.acquire(namespace);
            await lease.connection.query('select 1').then(() => this.jobs++, sleepABit);
          } catch (error) {
            this.refusals.push(error);
            await sleepABit();
          }
        }
      }),
    );
  }

  async stop(): Promise<void> {
    this.#end.abort();
    await Promise.all(this.#clients);
  }
}

/** As a client does that was told to come again. */
function sleepABit(): Promise<void> {
  return sleep(10);
}

describe(`${NamespacePools.name} while PostgreSQL restarts`, () => {
  it('refuse clearly, try to connect rarely, and recover within seconds', async () => {
    const driver = new PostgresDriver({ config: server.config });
    const pools = new NamespacePools({ name: 'postgres', driver, maxTotal: 10, acquireTimeoutMs: 1000 });
    const load = new Load(pools);
    await sleep(300); // some jobs have to be done

    await server.stop();
    const before = pools.snapshot().counters.failed;
    await sleep(OUTAGE_MS); // the outage lasts
    const attempts = pools.snapshot().counters.failed - before;
    const refusals = load.refusals.length;

    await server.resume();
    const [jobs, resumedAt] = [load.jobs, performance.now()];
    while (load.jobs < jobs + 100 && performance.now() - resumedAt < RECOVERY_MS) {
      await sleep(10); // until jobs are done again
    }
    const recoveredInMs = performance.now() - resumedAt;
    await load.stop();
    await pools.destroy();

    expect(refusals).toBeGreaterThan(100);
    expect(load.refusals.every((error) => error instanceof BackendUnavailableError)).toBe(true);
    expect(attempts).toBeLessThanOrEqual(10);
    expect(recoveredInMs).toBeLessThan(RECOVERY_MS);
  }, 30_000);
});
