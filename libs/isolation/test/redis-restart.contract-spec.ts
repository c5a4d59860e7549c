import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { parseNamespaceId } from '@palisade/domain';
import { NamespacePools } from '../src/pools/namespace-pools.js';
import { RedisWorld } from './support/redis-world.js';
import { RestartLoad, codeOf } from './support/restart-load.js';
import { waitUntil } from './support/wait-until.js';
import { WorkContext } from './support/work-context.js';

const NAMESPACES = ['acme', 'bolt', 'crow', 'dawn'].map(parseNamespaceId);
const OUTAGE_MS = 1_500;

describe(`${NamespacePools.name} while Redis restarts`, () => {
  it('refuse clearly, try to connect rarely, recover, and leave no connection behind', async () => {
    await using world = await RedisWorld.start();
    const driver = world.driver();
    const pools = new NamespacePools({ name: 'redis', driver, maxTotal: 10, acquireTimeoutMs: 1_000 });
    const load = new RestartLoad(pools, NAMESPACES, async (link, namespace) => {
      await using redis = driver.scope(link, namespace, new WorkContext());
      await redis.incrBy('jobs');
    });
    await waitUntil(() => load.jobs > 100, 'jobs are done');

    await world.server.stop('SIGKILL');
    const before = pools.snapshot().counters.failed;
    const refused = load.refusals.length;
    await sleep(OUTAGE_MS); // the outage lasts
    const attempts = pools.snapshot().counters.failed - before;
    await waitUntil(() => load.refusals.length > refused + 100, 'clients are refused');

    await world.server.start();
    const { jobs } = load;
    await waitUntil(() => load.jobs > jobs + 100, 'jobs are done again');
    await load.stop();
    await pools.destroy();
    await world.observeAgain();
    await world.waitForNone();

    // Whoever had waited when the server went, and whose time was up before the outage was noticed, timed out.
    expect(new Set(load.refusals.map(codeOf)).difference(new Set(['POOL_TIMEOUT']))).toEqual(
      new Set(['BACKEND_UNAVAILABLE']),
    );
    expect(new Set(load.failures.map(codeOf))).toEqual(new Set(['CONNECTION_LOST']));
    // As many as there were connections when all were lost; then one per pause, which doubles.
    expect(attempts).toBeLessThanOrEqual(10 + 6);
  });
});
