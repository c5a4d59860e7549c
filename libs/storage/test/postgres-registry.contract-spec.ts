import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseTenantId, type ChainedActionRecord, type Store, type TenantId } from '@palisade/domain';
import { Client } from 'pg';
import { verifyChain, type ChainVerdict } from '../src/audit/action-chain.js';
import { PostgresStore } from '../src/postgres/postgres-store.js';
import { createScratchDatabase, type ScratchDatabase } from './scratch-database.js';
import { changeAt } from './support/store-harness.js';
import { actionOf, freshProxyId, proxyDraft, tenantDraft } from './support/tenancy-samples.js';

const TIMEOUT_MS = 180_000;

/** What two control planes do to one database at the same time, and what somebody does to it behind their backs. */
describe('registry and chain of two postgres stores', () => {
  let database: ScratchDatabase;
  let stores: readonly [Store, Store];
  let client: Client;

  beforeAll(async () => {
    database = await createScratchDatabase();
    stores = [new PostgresStore(database.url), new PostgresStore(database.url)];
    await stores[0].migrate();
    client = new Client({ connectionString: database.url });
    await client.connect();
  });

  afterAll(async () => {
    await client.end();
    await Promise.all(stores.map((store) => store.close()));
    await database.drop();
  });

  function storeOf(index: number): Store {
    return stores[index % 2] ?? stores[0];
  }

  function register(name: string, pattern: string, store = stores[0]) {
    return store.tenants.register(parseTenantId(name), 'api', tenantDraft([pattern]), changeAt(0));
  }

  function records(): Promise<ChainedActionRecord[]> {
    return stores[0].actions.list({ limit: 10_000 });
  }

  async function verify(): Promise<ChainVerdict> {
    const { start } = await stores[0].actions.ends();
    return verifyChain(await records(), start);
  }

  it(
    'has one chain without gap or fork, whoever appends to it',
    async () => {
      const proxies = Array.from({ length: 5 }, freshProxyId);
      const change = changeAt(0);

      await Promise.all(
        Array.from({ length: 40 }, (_, i) => [
          register(`chain-${i}`, `chain-${i}`, storeOf(i)),
          storeOf(i).actions.append([actionOf(), actionOf()]),
          ...proxies.map((id) => storeOf(i).proxies.put(id, 'registration', proxyDraft({ weight: i + 1 }), change)),
          storeOf(i).proxies.observe(
            proxies.map((id) => ({ id, health: i % 3 === 0 ? 'healthy' : 'unhealthy', at: change.at })),
            change,
          ),
        ]).flat(),
      );

      const { head } = await stores[1].actions.ends();
      const all = await records();
      expect(await verify()).toEqual({ isValid: true, records: all.length, head });
      expect(all.filter(({ action }) => action === 'tenant.register')).toHaveLength(40);
      expect(all.filter(({ result }) => result === 'denied')).toHaveLength(80);
    },
    TIMEOUT_MS,
  );

  it(
    'shows what one changes to the other, in order and without gaps',
    async () => {
      const before = await stores[1].tenants.revision();
      const changes = Promise.all(Array.from({ length: 50 }, (_, i) => register(`seen-${i}`, `seen-${i}`, storeOf(i))));

      const seen: TenantId[] = [];
      for (let revision = before; seen.length < 50;) {
        const page = await stores[1].tenants.changesSince(revision, 7);
        expect(page.revision - revision).toBe(page.changed.length);
        seen.push(...page.changed.map(({ id }) => id));
        revision = page.revision;
      }
      await changes;

      expect(new Set(seen).size).toBe(50);
    },
    TIMEOUT_MS,
  );

  it('registers exactly one of two tenants that overlap, again and again', async () => {
    for (let round = 0; round < 20; round++) {
      const results = await Promise.allSettled([
        register(`one-${round}`, `race${round}-a*`, stores[0]),
        register(`two-${round}`, `race${round}-?b`, stores[1]),
      ]);

      expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    }
  });

  it('loses no record that is appended while the oldest are removed', async () => {
    const before = await stores[0].actions.ends();
    const cutOff = new Date('2027-01-01T00:00:00Z');
    const recent = actionOf({ tenantId: 'recent', timestamp: cutOff });

    const removals = stores.map((store) => store.actions.removeBefore(cutOff));
    const appends = Array.from({ length: 20 }, (_, i) => storeOf(i).actions.append([recent]));
    const [first, second] = await Promise.all(removals);
    await Promise.all(appends);

    expect((first ?? 0) + (second ?? 0)).toBe(before.head.sequence - before.start.sequence + 1);
    expect(await records()).toHaveLength(20);
    expect(await verify()).toMatchObject({ isValid: true, records: 20 });
  });

  describe('that somebody has changed behind their backs', () => {
    const TAMPERING: readonly (readonly [what: string, statement: string, reason: string])[] = [
      ['a value', `update action_records set result = 'success' where sequence = $1`, 'hash'],
      ['a value that was not there', `update action_records set tenant_id = 'other' where sequence = $1`, 'hash'],
      ['a detail', `update action_records set detail = '{"a":7}' where sequence = $1`, 'hash'],
      ['the time by a millisecond', `update action_records set at = at + '1 ms' where sequence = $1`, 'hash'],
      ['a record away', 'delete from action_records where sequence = $1', 'sequence'],
      ['a hash', `update action_records set hash = repeat('a', 64) where sequence = $1`, 'hash'],
      ['a link', `update action_records set previous_hash = repeat('a', 64) where sequence = $1`, 'previous_hash'],
    ];

    it.each(TAMPERING)('tells where the chain breaks: %s', async (_, statement, reason) => {
      await stores[0].actions.append([1, 2, 3].map((a) => actionOf({ timestamp: changeAt(0).at, detail: { a } })));
      const { head } = await stores[0].actions.ends();
      const target = head.sequence - 1;

      expect(await verifyTampered(statement, target)).toMatchObject({
        isValid: false,
        brokenAt: target,
        reason,
      });
    });

    /** Leaves the chain as it was. */
    async function verifyTampered(statement: string, target: number): Promise<ChainVerdict> {
      await client.query('create temporary table saved as select * from action_records');
      await client.query(statement, [target]);
      const verdict = await verify();
      await client.query('delete from action_records');
      await client.query('insert into action_records select * from saved');
      await client.query('drop table saved');
      return verdict;
    }
  });
});
