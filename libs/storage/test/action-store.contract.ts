import { describe, expect, it } from '@jest/globals';
import type { ActionQuery, ChainedActionRecord, Store } from '@palisade/domain';
import { verifyChain } from '../src/audit/action-chain.js';
import { actionOf, freshLabel } from './support/tenancy-samples.js';

/** Action records: what is kept, how it is read, and the chain that they are in. */
export function describeActionStoreContract(store: () => Store): void {
  describe('actions', () => {
    describe('append', () => describeAppend(store));
    describe('list', () => describeList(store));
    describe('chain', () => describeChain(store));
    describe('removeBefore', () => describeRemoval(store));
  });
}

function listOf(store: Store, query: Partial<ActionQuery>): Promise<ChainedActionRecord[]> {
  return store.actions.list({ limit: 1000, ...query });
}

/** What the chain holds from `start` to its head. */
async function everything(store: Store): Promise<ChainedActionRecord[]> {
  const records: ChainedActionRecord[] = [];
  for (;;) {
    const page = await listOf(store, { after: records.at(-1)?.sequence });
    if (page.length === 0) {
      return records;
    }
    records.push(...page);
  }
}

async function expectUnbroken(store: Store): Promise<void> {
  const { start, head } = await store.actions.ends();
  const records = await everything(store);
  expect(await verifyChain(records, start)).toEqual({ isValid: true, records: records.length, head });
}

function describeAppend(store: () => Store): void {
  it('keeps records as they are, in their order', async () => {
    const tenantId = freshLabel();
    const full = actionOf({
      tenantId,
      namespace: 'orders',
      sessionId: '0199a3c4-0000-7000-8000-000000000000',
      result: 'failure',
      rowsAccessed: 5_000_000_000,
      piiAccessed: false,
      detail: { z: 1.5, a: 'text "quoted"\n', flag: true, nothing: null, __proto: 'x', big: 1e21, small: -0.000_000_1 },
    });
    await store().actions.append([full, actionOf({ tenantId, userId: 'second' })]);
    await store().actions.append([]);
    await store().actions.append([actionOf({ tenantId, userId: 'third' })]);

    const records = await listOf(store(), { tenantId });

    expect(records).toMatchObject([full, { userId: 'second' }, { userId: 'third' }]);
    expect(Object.keys(records[1] ?? {}).toSorted()).toEqual(
      [...Object.keys(actionOf({ tenantId })), 'sequence', 'previousHash', 'hash'].toSorted(),
    );
  });

  it('replaces what no store can keep and cuts long texts, but not in the detail', async () => {
    const tenantId = freshLabel();
    const long = 'x'.repeat(1000);
    await store().actions.append([
      actionOf({ tenantId, userId: 'a\0b', resource: `\ud800${long}`, detail: { 'k\0': 'v\udfff', long, none: NaN } }),
    ]);

    const [record] = await listOf(store(), { tenantId });

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
  ])('refuses %j, and everything that comes with it', async (overrides) => {
    const tenantId = freshLabel();

    const append = store().actions.append([actionOf({ tenantId }), actionOf({ tenantId, ...overrides })]);

    await expect(append).rejects.toThrow(RangeError);
    expect(await listOf(store(), { tenantId })).toEqual([]);
  });

  it('gives copies, so that a reader cannot change the chain', async () => {
    const tenantId = freshLabel();
    await store().actions.append([actionOf({ tenantId })]);

    (await listOf(store(), { tenantId }))[0]?.timestamp.setTime(0);

    await expectUnbroken(store());
  });
}

function describeList(store: () => Store): void {
  it('reads on after a sequence', async () => {
    const tenantId = freshLabel();
    await store().actions.append(['a', 'b', 'c', 'd', 'e'].map((userId) => actionOf({ tenantId, userId })));

    const first = await listOf(store(), { tenantId, limit: 2 });
    const second = await listOf(store(), { tenantId, limit: 2, after: first.at(-1)?.sequence });
    const third = await listOf(store(), { tenantId, limit: 2, after: second.at(-1)?.sequence });

    expect([...first, ...second, ...third].map(({ userId }) => userId)).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('selects by tenant, namespace and action, and by all of them together', async () => {
    const [tenantId, one, two] = [freshLabel(), freshLabel(), freshLabel()];
    await store().actions.append([
      actionOf({ tenantId, userId: 'a', namespace: one }),
      actionOf({ tenantId, userId: 'b', namespace: two, action: 'tenant.move' }),
      actionOf({ tenantId, userId: 'c' }),
      actionOf({ tenantId: freshLabel(), userId: 'd', namespace: one }),
    ]);
    const users = async (query: Partial<ActionQuery>) => (await listOf(store(), query)).map(({ userId }) => userId);

    expect(await users({ tenantId })).toEqual(['a', 'b', 'c']);
    expect(await users({ namespace: one })).toEqual(['a', 'd']);
    expect(await users({ tenantId, action: 'tenant.move' })).toEqual(['b']);
    expect(await users({ namespaces: [one, two] })).toEqual(['a', 'b', 'd']);
    expect(await users({ namespaces: [one, two], namespace: two })).toEqual(['b']);
    expect(await users({ namespaces: [one], namespace: two })).toEqual([]);
    expect(await users({ namespaces: [] })).toEqual([]);
    expect(await users({ tenantId, namespaces: [one, two], action: 'authorization' })).toEqual(['a']);
  });

  it('finds nothing for a text that cannot be stored', async () => {
    for (const query of [{ tenantId: 'a\0' }, { namespace: '\ud800' }, { action: '\0' }, { namespaces: ['\0'] }]) {
      expect(await listOf(store(), query)).toEqual([]);
    }
  });
}

function describeChain(store: () => Store): void {
  it('links each record to the one before, from 64 zeros on', async () => {
    await store().actions.append([actionOf()]);

    const { start } = await store().actions.ends();

    expect(start).toEqual({ sequence: 1, previousHash: '0'.repeat(64) });
    await expectUnbroken(store());
  });

  it('has neither gap nor fork after many appends at once', async () => {
    const tenantId = freshLabel();

    await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        store().actions.append(Array.from({ length: (index % 3) + 1 }, () => actionOf({ tenantId }))),
      ),
    );

    expect(await listOf(store(), { tenantId })).toHaveLength(79);
    await expectUnbroken(store());
  });
}

/** Records from here on are removed up to some time; it comes last. */
function describeRemoval(store: () => Store): void {
  const at = (year: number) => new Date(Date.UTC(year, 0, 1));

  it('removes what is older, and what is left stays verifiable', async () => {
    const tenantId = freshLabel();
    await store().actions.append([2027, 2028, 2029, 2030].map((year) => actionOf({ tenantId, timestamp: at(year) })));

    const removed = await store().actions.removeBefore(at(2029));

    const left = await listOf(store(), { tenantId });
    expect(left.map(({ timestamp }) => timestamp)).toEqual([at(2029), at(2030)]);
    expect(removed).toBeGreaterThanOrEqual(2);
    const { start } = await store().actions.ends();
    expect(start).toEqual({ sequence: left[0]?.sequence, previousHash: left[0]?.previousHash });
    await expectUnbroken(store());
  });

  it('stops at the first record that is kept, even when older ones follow', async () => {
    const tenantId = freshLabel();
    await store().actions.append([2031, 2030, 2032].map((year) => actionOf({ tenantId, timestamp: at(year) })));

    await store().actions.removeBefore(at(2031));

    expect(await listOf(store(), { tenantId })).toHaveLength(3);
    await expectUnbroken(store());
  });

  it('removes nothing after the sequence that it is told', async () => {
    const tenantId = freshLabel();
    await store().actions.append([1, 2, 3].map(() => actionOf({ tenantId, timestamp: at(2033) })));
    const [, second] = await listOf(store(), { tenantId });

    await store().actions.removeBefore(at(2040), second?.sequence);

    expect(await listOf(store(), { tenantId })).toHaveLength(1);
    await expectUnbroken(store());
  });

  it('goes on with the chain when all records are gone', async () => {
    await store().actions.append([actionOf({ timestamp: at(2034) })]);
    const { head } = await store().actions.ends();

    await store().actions.removeBefore(at(2040));
    expect(await store().actions.ends()).toEqual({
      start: { sequence: head.sequence + 1, previousHash: head.hash },
      head,
    });
    expect(await store().actions.removeBefore(at(2040))).toBe(0);

    await store().actions.append([actionOf({ timestamp: at(2050) })]);
    expect(await everything(store())).toMatchObject([{ sequence: head.sequence + 1, previousHash: head.hash }]);
    await expectUnbroken(store());
  });
}
