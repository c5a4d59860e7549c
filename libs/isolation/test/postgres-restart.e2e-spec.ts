import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseNamespaceId } from '@palisade/domain';
import { PostgresDriver } from '../src/backends/postgres/postgres-driver.js';
import { NamespacePools } from '../src/pools/namespace-pools.js';
import { OwnServer } from './support/own-server.js';
import { RestartLoad, codeOf } from './support/restart-load.js';
import { waitUntil } from './support/wait-until.js';

const NAMESPACES = ['acme', 'bolt', 'crow', 'dawn'].map(parseNamespaceId);
const OUTAGE_MS = 2000;

let server: OwnServer;

beforeAll(async () => {
  server = await OwnServer.start();
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

describe(`${NamespacePools.name} while PostgreSQL restarts`, () => {
  it('refuse clearly, try to connect rarely, and recover', async () => {
    const driver = new PostgresDriver({ config: server.config });
    const pools = new NamespacePools({ name: 'postgres', driver, maxTotal: 10, acquireTimeoutMs: 1000 });
    const load = new RestartLoad(pools, NAMESPACES, (client) => client.query('select 1'));
    await waitUntil(() => load.jobs > 100, 'jobs are done');

    await server.stop();
    const before = pools.snapshot().counters.failed;
    const refused = load.refusals.length;
    await sleep(OUTAGE_MS); // the outage lasts
    const attempts = pools.snapshot().counters.failed - before;
    await waitUntil(() => load.refusals.length > refused + 100, 'clients are refused');

    await server.resume();
    const { jobs } = load;
    await waitUntil(() => load.jobs > jobs + 100, 'jobs are done again');
    await load.stop();
    await pools.destroy();

    // Whoever had waited when the server went, and whose time was up before the outage was noticed, timed out.
    expect(new Set(load.refusals.map(codeOf)).difference(new Set(['POOL_TIMEOUT']))).toEqual(
      new Set(['BACKEND_UNAVAILABLE']),
    );
    expect(attempts).toBeLessThanOrEqual(10);
  });
});
