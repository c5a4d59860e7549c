import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseTenantId, type Store, type TenantId } from '@palisade/domain';
import { PostgresStore } from '../src/postgres/postgres-store.js';
import { createScratchDatabase, type ScratchDatabase } from './scratch-database.js';
import { changeAt } from './support/store-harness.js';
import { tenantDraft } from './support/tenancy-samples.js';

const TIMEOUT_MS = 180_000;

/** What two control planes do to one database at the same time. */
describe('registry of two postgres stores', () => {
  let database: ScratchDatabase;
  let stores: readonly [Store, Store];

  beforeAll(async () => {
    database = await createScratchDatabase();
    stores = [new PostgresStore(database.url), new PostgresStore(database.url)];
    await stores[0].migrate();
  });

  afterAll(async () => {
    await Promise.all(stores.map((store) => store.close()));
    await database.drop();
  });

  function storeOf(index: number): Store {
    return stores[index % 2] ?? stores[0];
  }

  function register(name: string, pattern: string, store = stores[0]) {
    return store.tenants.register(parseTenantId(name), 'api', tenantDraft([pattern]), changeAt(0));
  }

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
});
