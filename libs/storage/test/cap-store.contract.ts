import { describe, expect, it } from '@jest/globals';
import {
  parsePoolName,
  type BackendReport,
  type CapDemand,
  type ProxyId,
  type ProxyUsage,
  type Store,
} from '@palisade/domain';
import { freshLabel, freshProxyId } from './support/tenancy-samples.js';

const MINUTE_MS = 60_000;

/** How caps are divided, and what proxies report of usage. */
export function describeCapStoreContract(store: () => Store): void {
  describe('caps', () => describeCaps(store));
  describe('usage', () => describeUsage(store));
}

function reportOf(proxy: string, demand: Partial<CapDemand> = {}, overrides: Partial<BackendReport> = {}) {
  const full = { limit: 0, in_use: 0, waiting: 0, least: 1, hold_seconds: 0, ...demand };
  return { proxy, instance: '1', backend: 'postgres', cap: 10, demand: full, ...overrides };
}

function describeCaps(store: () => Store): void {
  it('remembers what each proxy has, and gives others what is left', async () => {
    const pool = parsePoolName(freshLabel());

    const [first] = await store().caps.report(pool, [reportOf('a', { waiting: 7 })]);
    const [second] = await store().caps.report(pool, [reportOf('b', { waiting: 7 })]);

    expect([first, second]).toMatchObject([
      { sequence: 1, limit: 9 },
      { sequence: 1, limit: 1 },
    ]);
  });

  it('answers reports of several proxies and backends in their order', async () => {
    const pool = parsePoolName(freshLabel());

    const parts = await store().caps.report(pool, [
      reportOf('a', { waiting: 4 }, { backend: 'redis' }),
      reportOf('a', {}, { cap: 20 }),
      reportOf('b', { waiting: 10 }, { backend: 'redis' }),
    ]);

    expect(parts.map(({ limit }) => limit)).toEqual([5, 10, 5]);
  });

  it('keeps pools and backends apart', async () => {
    const pools = [freshLabel(), freshLabel()].map(parsePoolName);
    const reports = ['redis', 'postgres'].map((backend) => reportOf('a', { waiting: 10 }, { backend }));

    const parts = await Promise.all(pools.map((pool) => store().caps.report(pool, reports)));

    expect(parts.flat().map(({ limit }) => limit)).toEqual([10, 10, 10, 10]);
  });

  it('never gives more than the cap, however many report at once', async () => {
    const pool = parsePoolName(freshLabel());
    const proxies = Array.from({ length: 20 }, (_, index) => `p${index}`);

    const parts = await Promise.all(
      proxies.map((proxy) => store().caps.report(pool, [reportOf(proxy, { waiting: 3 })])),
    );

    expect(parts.flat().reduce((sum, { limit }) => sum + limit, 0)).toBe(10);
    const ledger = (await store().caps.ledgers()).find((stored) => stored.pool === pool)?.ledger;
    expect(ledger?.entries).toHaveLength(20);
    expect(ledger?.entries.reduce((sum, { granted }) => sum + granted, 0)).toBe(10);
  });

  it('lists ledgers in order of pool and backend', async () => {
    const pool = parsePoolName(freshLabel());
    await store().caps.report(pool, [reportOf('a', {}, { backend: 'redis' }), reportOf('a')]);

    const ledgers = (await store().caps.ledgers()).filter((stored) => stored.pool === pool);

    expect(ledgers).toMatchObject([
      { pool, backend: 'postgres', ledger: { entries: [{ proxy: 'a', granted: 5 }] } },
      { pool, backend: 'redis' },
    ]);
  });

  it('frees what a proxy has everywhere', async () => {
    const [one, other] = [freshLabel(), freshLabel()].map(parsePoolName) as [never, never];
    const [gone, left] = [freshProxyId(), freshProxyId()];
    for (const pool of [one, other]) {
      await store().caps.report(pool, [reportOf(gone, { waiting: 10 }), reportOf(left)]);
    }

    await store().caps.release(gone);

    const parts = await Promise.all(
      [one, other].map((pool) => store().caps.report(pool, [reportOf(left, { waiting: 8 })])),
    );
    expect(parts.flat().map(({ limit }) => limit)).toEqual([10, 10]);
  });
}

function describeUsage(store: () => Store): void {
  const pool = parsePoolName('standard');
  const usageOf = (requests: number): ProxyUsage => ({
    namespaces: [
      { namespace: 'acme', sessions: 1, connections: {}, requests, errors: 0, rejected: { POOL_TIMEOUT: 2 } },
    ],
  });
  const reportsOf = async (...proxies: readonly string[]) =>
    (await store().usage.list({ maxAgeMs: MINUTE_MS, limit: 1000 })).filter(({ proxy }) => proxies.includes(proxy));

  it('keeps the newest report of each proxy', async () => {
    const [a, b] = [freshProxyId(), freshProxyId()];
    await store().usage.put(b, pool, usageOf(1));
    await store().usage.put(a, pool, usageOf(2));
    await store().usage.put(b, parsePoolName('premium'), usageOf(3));

    const reports = await reportsOf(a, b);

    expect(new Map(reports.map((report) => [report.proxy, { pool: report.pool, usage: report.usage }]))).toEqual(
      new Map([
        [a, { pool: 'standard', usage: usageOf(2) }],
        [b, { pool: 'premium', usage: usageOf(3) }],
      ]),
    );
    expect(reports.every(({ ageMs }) => ageMs >= 0 && ageMs < MINUTE_MS)).toBe(true);
  });

  it('lists reports in pages, in order of proxy', async () => {
    const proxies = [freshProxyId(), freshProxyId(), freshProxyId()].toSorted();
    await Promise.all(proxies.map((proxy) => store().usage.put(proxy, pool, usageOf(1))));

    const listed: ProxyId[] = [];
    for (let after: ProxyId | undefined, isLast = false; !isLast; after = listed.at(-1)) {
      const page = await store().usage.list({ maxAgeMs: MINUTE_MS, limit: 2, after });
      listed.push(...page.map(({ proxy }) => proxy));
      isLast = page.length < 2;
    }
    expect(listed).toEqual([...new Set(listed)].toSorted());
    expect(listed).toEqual(expect.arrayContaining(proxies));
  });

  it('leaves out what is old, and removes it', async () => {
    const [a, b] = [freshProxyId(), freshProxyId()];
    await store().usage.put(a, pool, usageOf(1));
    await store().usage.put(b, pool, usageOf(1));
    await store().usage.remove(a, MINUTE_MS);

    expect((await reportsOf(a, b)).map(({ proxy }) => proxy)).toEqual([b]);
    expect(await store().usage.list({ maxAgeMs: -1, limit: 10 })).toEqual([]);
    await store().usage.remove(a, -1);
    expect(await reportsOf(b)).toEqual([]);
  });
}
