import { describe, expect, it } from '@jest/globals';
import type { LogQuery, Store } from '@palisade/domain';
import { listSealed, readAll, sealAll, verifyAll, withoutPlace } from './support/log-harness.js';
import { freshProvider } from './support/store-harness.js';
import { freshLabel, recordOf } from './support/tenancy-samples.js';

const ZEROS = '0'.repeat(64);

/** The log: what is kept, how it is sealed and read, and what removing leaves. */
export function describeLogStoreContract(store: () => Store): void {
  describe('log', () => {
    describe('append', () => describeAppend(store));
    describe('seal', () => describeSeal(store));
    describe('list', () => describeList(store));
    describe('readers', () => describeReaders(store));
    describe('removeBefore', () => describeRemoval(store));
  });
}

async function expectUnbroken(store: Store): Promise<void> {
  const { head } = await store.log.ends();
  const records = await readAll(store);
  expect(await verifyAll(store)).toEqual({ isValid: true, records: records.length, head });
}

function describeAppend(store: () => Store): void {
  it('keeps records as they are, in their order', async () => {
    const tenantId = freshLabel();
    const full = recordOf({
      provider: freshProvider(),
      tenantId,
      namespace: 'orders',
      sessionId: '0199a3c4-0000-7000-8000-000000000000',
      requestId: 'r1',
      result: 'failure',
      rowsAccessed: 5_000_000_000,
      piiAccessed: false,
      detail: {
        z: 1.5,
        a: 'text "quoted"\n',
        flag: true,
        nothing: null,
        __proto: 'x',
        big: 1e21,
        small: -0.000_000_1,
        nested: { list: [1, 'two', null, { three: [] }] },
      },
    });
    await store().log.append([full, recordOf({ tenantId, userId: 'second' })]);
    await store().log.append([]);
    await store().log.append([recordOf({ tenantId, userId: 'third' })]);

    const records = await listSealed(store(), { tenantId });

    expect(records.map(withoutPlace)).toEqual([
      full,
      recordOf({ tenantId, userId: 'second' }),
      recordOf({ tenantId, userId: 'third' }),
    ]);
    expect(records.map(({ scope }) => scope)).toEqual([full.provider, 'control_plane', 'control_plane']);
    await expectUnbroken(store());
  });

  it('replaces what no store can keep and cuts long texts, but not in the detail', async () => {
    const tenantId = freshLabel();
    const long = 'x'.repeat(1000);
    await store().log.append([
      recordOf({ tenantId, userId: 'a\0b', resource: `\ud800${long}`, detail: { 'k\0': 'v\udfff', long, none: NaN } }),
    ]);

    const [record] = await listSealed(store(), { tenantId });

    expect(record).toMatchObject({
      userId: 'a\ufffdb',
      resource: `\ufffd${'x'.repeat(511)}`,
      detail: { 'k\ufffd': 'v\ufffd', long, none: null },
    });
    await expectUnbroken(store());
  });

  it.each([
    { rowsAccessed: -1 },
    { rowsAccessed: 1.5 },
    { rowsAccessed: 2 ** 53 },
    { timestamp: new Date(Number.NaN) },
  ])('rejects %j, and everything that comes with it', async (overrides) => {
    const tenantId = freshLabel();

    const append = store().log.append([recordOf({ tenantId }), recordOf({ tenantId, ...overrides })]);

    await expect(append).rejects.toThrow(RangeError);
    expect(await listSealed(store(), { tenantId })).toEqual([]);
  });

  it('gives copies, so that a reader cannot change the log', async () => {
    const tenantId = freshLabel();
    await store().log.append([recordOf({ tenantId })]);

    (await listSealed(store(), { tenantId }))[0]?.timestamp.setTime(0);

    await expectUnbroken(store());
  });
}

function describeSeal(store: () => Store): void {
  it('lets a record be read only once it has a position', async () => {
    const tenantId = freshLabel();
    await sealAll(store());
    const { head } = await store().log.ends();

    await store().log.append([recordOf({ tenantId }), recordOf({ tenantId })]);

    expect(await store().log.unsealed()).toEqual({ count: 2, oldest: expect.any(Date) });
    expect(await store().log.list({ tenantId, limit: 10 })).toEqual([]);
    expect(await store().log.ends()).toMatchObject({ head });
    expect(await store().log.seal()).toBe(2);
    expect(await store().log.unsealed()).toEqual({ count: 0 });
    const records = await store().log.list({ tenantId, limit: 10 });
    expect(records.map(({ position }) => position)).toEqual([head.position + 1, head.position + 2]);
    expect(await store().log.ends()).toMatchObject({ head: { position: head.position + 2, seal: records[1]?.seal } });
    expect(await store().log.seal()).toBe(0);
  });

  it('begins at position 1 behind 64 zeros', async () => {
    await store().log.append([recordOf()]);
    await sealAll(store());

    expect(await store().log.ends()).toMatchObject({ removed: { position: 0, seal: ZEROS } });
    expect(await store().log.list({ limit: 1 })).toMatchObject([{ position: 1, previousHash: ZEROS }]);
    await expectUnbroken(store());
  });

  it('has a chain for each scope', async () => {
    const [one, two] = [freshProvider(), freshProvider()];
    await store().log.append([one, two, one, two, one].map((provider) => recordOf({ provider })));

    for (const provider of [one, two]) {
      const records = await listSealed(store(), { provider });
      const hashes = records.map(({ hash }) => hash);
      expect(records.map(({ previousHash }) => previousHash)).toEqual([ZEROS, ...hashes.slice(0, -1)]);
    }
    await expectUnbroken(store());
  });

  it('seals at most 1,000 records at once, in the order in which they were written', async () => {
    const tenantId = freshLabel();
    await sealAll(store());
    await store().log.append(
      Array.from({ length: 1500 }, (_, n) => recordOf({ tenantId, provider: `p${n % 7}`, detail: { n } })),
    );

    expect([await store().log.seal(), await store().log.seal(), await store().log.seal()]).toEqual([1000, 500, 0]);

    const numbers = (await readAll(store())).filter((record) => record.tenantId === tenantId);
    expect(numbers.map(({ detail }) => detail?.['n'])).toEqual(Array.from({ length: 1500 }, (_, n) => n));
  });

  it('gives each record one position while many write and many seal', async () => {
    const tenantId = freshLabel();
    const writing = new AbortController();
    const sealers = Array.from({ length: 3 }, async () => {
      while (!writing.signal.aborted) {
        await store().log.seal();
        await new Promise(setImmediate);
      }
    });

    await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        store().log.append(Array.from({ length: (index % 3) + 1 }, () => recordOf({ tenantId }))),
      ),
    );
    writing.abort();
    await Promise.all(sealers);

    expect(await listSealed(store(), { tenantId })).toHaveLength(79);
    await expectUnbroken(store());
  });
}

function describeList(store: () => Store): void {
  it('reads on after a position, and backward from one', async () => {
    const tenantId = freshLabel();
    await store().log.append(['a', 'b', 'c', 'd', 'e'].map((userId) => recordOf({ tenantId, userId })));
    const users = async (query: Partial<LogQuery>) =>
      (await listSealed(store(), { tenantId, ...query })).map(({ userId }) => userId);
    const [, second, , fourth] = (await listSealed(store(), { tenantId })).map(({ position }) => position);

    expect(await users({ limit: 2 })).toEqual(['a', 'b']);
    expect(await users({ limit: 2, after: second })).toEqual(['c', 'd']);
    expect(await users({ after: fourth })).toEqual(['e']);
    expect(await users({ limit: 2, order: 'desc' })).toEqual(['e', 'd']);
    expect(await users({ limit: 2, order: 'desc', before: fourth })).toEqual(['c', 'b']);
    expect(await users({ order: 'desc', before: second })).toEqual(['a']);
    expect(await users({ after: second, before: fourth })).toEqual(['c']);
    expect(await users({ after: 9e15 })).toEqual([]);
  });

  it('selects by each field, and by all of them together', async () => {
    const [tenantId, one, two, provider] = [freshLabel(), freshLabel(), freshLabel(), freshProvider()];
    await store().log.append([
      recordOf({ tenantId, userId: 'a', namespace: one, provider }),
      recordOf({ tenantId, userId: 'b', namespace: two, action: 'tenant.move' }),
      recordOf({ tenantId, userId: 'c', timestamp: new Date('2026-02-01T00:00:00Z') }),
      recordOf({ tenantId: freshLabel(), userId: 'd', namespace: one, provider }),
    ]);
    const users = async (query: Partial<LogQuery>) => (await listSealed(store(), query)).map(({ userId }) => userId);

    expect(await users({ tenantId })).toEqual(['a', 'b', 'c']);
    expect(await users({ tenantId, userId: 'b' })).toEqual(['b']);
    expect(await users({ provider })).toEqual(['a', 'd']);
    expect(await users({ namespace: one })).toEqual(['a', 'd']);
    expect(await users({ tenantId, action: 'tenant.move' })).toEqual(['b']);
    expect(await users({ tenantId, since: new Date('2026-02-01T00:00:00Z') })).toEqual(['c']);
    expect(await users({ tenantId, until: new Date('2026-02-01T00:00:00Z') })).toEqual(['a', 'b']);
    expect(await users({ namespaces: [one, two] })).toEqual(['a', 'b', 'd']);
    expect(await users({ namespaces: [one, two], namespace: two })).toEqual(['b']);
    expect(await users({ namespaces: [one], namespace: two })).toEqual([]);
    expect(await users({ namespaces: [] })).toEqual([]);
    expect(await users({ tenantId, provider, namespaces: [one, two], action: 'authorization' })).toEqual(['a']);
    expect(await users({ tenantId, provider: 'control_plane' })).toEqual([]);
  });

  it('selects by time whatever the clocks were that the times are from, and after the oldest are removed', async () => {
    const tenantId = freshLabel();
    const timeOf = (index: number): Date => {
      const isOff = index % 700 === 5;
      return new Date(Date.UTC(2027, 0, 1) + index * 1000 + (isOff ? 3_600_000 * (index % 1400 === 5 ? 1 : -1) : 0));
    };
    const times = Array.from({ length: 2500 }, (_, index) => timeOf(index));
    await store().log.append(times.map((timestamp) => recordOf({ tenantId, timestamp })));
    const all = (await listSealed(store(), { tenantId, limit: 3000 })).map(({ position, timestamp }) => ({
      position,
      timestamp,
    }));
    expect(all).toHaveLength(2500);
    const bounds = [-7200, -1800, 0, 5, 6, 999, 1000, 1300, 2400, 2499, 5000, 9000].map(
      (second) => new Date(Date.UTC(2027, 0, 1) + second * 1000),
    );
    const compare = async (since: Date | undefined, until: Date | undefined, known: typeof all) => {
      const expected = known.filter(
        ({ timestamp }) => timestamp >= (since ?? new Date(0)) && timestamp < (until ?? new Date(9e12)),
      );
      for (const order of ['asc', 'desc'] as const) {
        const found = await store().log.list({ tenantId, order, limit: 3, since, until });
        const wanted = (order === 'asc' ? expected : expected.toReversed()).slice(0, 3);
        expect(found.map(({ position }) => position)).toEqual(wanted.map(({ position }) => position));
      }
    };

    for (const bound of bounds) {
      await compare(bound, undefined, all);
      await compare(undefined, bound, all);
      await compare(bound, bounds[bounds.indexOf(bound) + 1], all);
    }
    await store().log.removeBefore(new Date(9e12), all[1234]?.position);
    for (const bound of bounds) {
      await compare(bound, undefined, all.slice(1235));
      await compare(undefined, bound, all.slice(1235));
    }
  });

  it('finds nothing for a text that cannot be stored', async () => {
    for (const query of [
      { tenantId: 'a\0' },
      { namespace: '\ud800' },
      { action: '\0' },
      { userId: '\0' },
      { provider: '\0' },
      { namespaces: ['\0'] },
    ]) {
      expect(await listSealed(store(), query)).toEqual([]);
    }
  });
}

function describeReaders(store: () => Store): void {
  it('remember how far they have come, and never go back', async () => {
    const [one, two] = [freshLabel(), freshLabel()];
    const point = (position: number) => ({ position, seal: String(position).repeat(64) });

    await store().log.moveReader(one, point(3));
    await store().log.moveReader(one, point(2));
    await store().log.moveReader(two, point(1));

    expect(await store().log.findReader(one)).toEqual(point(3));
    expect(await store().log.findReader(two)).toEqual(point(1));
    expect(await store().log.findReader(freshLabel())).toBeUndefined();
    expect(await store().log.readThrough()).toBeLessThanOrEqual(1);
  });
}

/** Records from here on are removed up to some time; it comes last. */
function describeRemoval(store: () => Store): void {
  const at = (year: number) => new Date(Date.UTC(year, 0, 1));

  it('removes what is older, and what is left stays verifiable', async () => {
    const tenantId = freshLabel();
    await store().log.append([2027, 2028, 2029, 2030].map((year) => recordOf({ tenantId, timestamp: at(year) })));
    const [, second] = await listSealed(store(), { tenantId });

    const removed = await store().log.removeBefore(at(2029));

    const left = await listSealed(store(), { tenantId });
    expect(left.map(({ timestamp }) => timestamp)).toEqual([at(2029), at(2030)]);
    expect(removed).toBeGreaterThanOrEqual(2);
    expect(await store().log.ends()).toMatchObject({ removed: { position: second?.position, seal: second?.seal } });
    await expectUnbroken(store());
  });

  it('stops at the first record that is kept, even when older ones follow', async () => {
    const tenantId = freshLabel();
    await store().log.append([2031, 2030, 2032].map((year) => recordOf({ tenantId, timestamp: at(year) })));
    await sealAll(store());

    await store().log.removeBefore(at(2031));

    expect(await listSealed(store(), { tenantId })).toHaveLength(3);
    await expectUnbroken(store());
  });

  it('removes nothing after the position that it is told', async () => {
    const tenantId = freshLabel();
    await store().log.append([1, 2, 3].map(() => recordOf({ tenantId, timestamp: at(2033) })));
    const [, second] = await listSealed(store(), { tenantId });

    await store().log.removeBefore(at(2040), second?.position);

    expect(await listSealed(store(), { tenantId })).toHaveLength(1);
    await expectUnbroken(store());
  });

  it('removes nothing that is not sealed', async () => {
    const tenantId = freshLabel();
    await sealAll(store());
    await store().log.append([recordOf({ tenantId, timestamp: at(2033) })]);

    await store().log.removeBefore(at(2034));

    expect(await listSealed(store(), { tenantId })).toHaveLength(1);
  });

  it('goes on with the chain of a scope when all its records are gone', async () => {
    const provider = freshProvider();
    await store().log.append([recordOf({ provider, timestamp: at(2034) })]);
    const [last] = await listSealed(store(), { provider });
    const { head } = await store().log.ends();

    await store().log.removeBefore(at(2040));
    expect(await store().log.ends()).toEqual({ removed: head, head });
    expect(await store().log.removeBefore(at(2040))).toBe(0);

    await store().log.append([recordOf({ provider, timestamp: at(2050) })]);
    expect(await listSealed(store(), {})).toMatchObject([
      { position: head.position + 1, previousHash: last?.hash, provider },
    ]);
    await expectUnbroken(store());
  });
}
