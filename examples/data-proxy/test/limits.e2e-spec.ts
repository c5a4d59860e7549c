import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { waitUntil } from '../../../libs/isolation/test/support/wait-until.js';
import { POSTGRES_ONLY, ProxyWorld, SETTINGS } from './support/proxy-world.js';
import type { Answer, Tenant } from './support/tenant.js';

let world: ProxyWorld;

afterEach(() => world[Symbol.asyncDispose]());

async function startWith(settings: object): Promise<void> {
  world = await ProxyWorld.start({ settings: { ...SETTINGS, ...settings }, environment: POSTGRES_ONLY });
}

const statusesOf = (answers: readonly Answer[]): Record<number, number> =>
  Object.fromEntries(
    Map.groupBy(answers, ({ status }) => status)
      .entries()
      .map(([status, all]) => [status, all.length]),
  );

describe('max_rps', () => {
  it('lets so many through at once, and tells the others when to come back', async () => {
    await startWith({ resource_limits: { per_namespace: { max_rps: 1 } } });
    const ask = () => world.acme.query('notes.list', { limit: 1 });
    const answers = await Promise.all([ask(), ask(), ask()]);
    const rejected = answers.find(({ status }) => status === 429);
    expect([statusesOf(answers), rejected?.headers['retry-after'], rejected?.body]).toEqual([
      { 200: 1, 429: 2 },
      '1',
      expect.objectContaining({ code: 'RATE_LIMITED', type: 'urn:palisade:problem:rate-limited' }),
    ]);
  });

  it('concerns nobody else', async () => {
    await startWith({ resource_limits: { per_namespace: { max_rps: 1 } } });
    await Promise.all([world.acme.query('notes.list', { limit: 1 }), world.acme.query('notes.list', { limit: 1 })]);
    expect((await world.acme2.query('notes.list', { limit: 1 })).status).toBe(200);
  });
});

describe('memory', () => {
  it('bounds what is held for a namespace, and concerns nobody else', async () => {
    await startWith({ resource_limits: { per_namespace: { memory: '160KiB' } } });
    const body = 'x'.repeat(90_000);
    const ids = [];
    for (const title of ['one', 'two']) {
      const inserted = await world.acme.query('notes.insert', { title, body });
      ids.push((inserted.body as { rows: { id: string }[] }).rows[0]?.id);
    }
    const fetchAll = () => world.acme.query('bodies', {});
    const [both, single] = [await fetchAll(), await world.acme.query('notes.get', { id: ids[0] })];
    expect([both.status, both.headers['retry-after'], both.body, single.status]).toEqual([
      429,
      '1',
      expect.objectContaining({ code: 'MEMORY_LIMIT' }),
      200,
    ]);
  });
});

describe('connections_per_namespace and max_total_connections', () => {
  const CAP = 5;
  const NOISY_CLIENTS = 20;
  const QUIET_JOBS = 40;
  const POOLS = { connection_pools: { postgres: { connections_per_namespace: CAP, max_total_connections: CAP } } };

  interface Noise extends AsyncDisposable {
    readonly jobs: () => number;
    readonly maxConnections: () => number;
  }

  /** Clients that do one job after the other, and somebody who looks at the server meanwhile. */
  function makeNoise(tenant: Tenant): Noise {
    const end = new AbortController();
    let [jobs, maxConnections] = [0, 0];
    const work = async (): Promise<void> => {
      while (!end.signal.aborted) {
        const { status } = await tenant.query('nap');
        jobs += Number(status === 200);
      }
    };
    const watch = async (): Promise<void> => {
      while (!end.signal.aborted) {
        maxConnections = Math.max(maxConnections, await world.database.countConnections());
        await sleep(20);
      }
    };
    const all = [watch(), ...Array.from({ length: NOISY_CLIENTS }, work)];
    return {
      jobs: () => jobs,
      maxConnections: () => maxConnections,
      [Symbol.asyncDispose]: async () => {
        end.abort();
        await Promise.all(all);
      },
    };
  }

  it('keep a noisy namespace from a quiet one', async () => {
    await startWith(POOLS);
    const quiet = world.acme2;
    await using noise = makeNoise(world.acme);
    // Until everybody has the connections that they will have.
    await waitUntil(() => noise.jobs() > NOISY_CLIENTS, 'the noise has begun');
    await quiet.query('nap');
    const before = noise.jobs();
    for (let job = 0; job < QUIET_JOBS; job++) {
      expect((await quiet.query('nap')).status).toBe(200);
    }
    const beside = noise.jobs() - before;
    expect(noise.maxConnections()).toBeLessThanOrEqual(CAP);
    // The noisy one has the other connections meanwhile; in one queue for all it would be 20 jobs for each quiet one.
    expect(beside / QUIET_JOBS).toBeLessThan(2 * (CAP - 1));
    expect(beside).toBeGreaterThan(QUIET_JOBS);
  });
});
