import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Environment } from '@palisade/platform';
import { requireKafka } from '../../../test/support/test-services.js';
import { EventReader } from './support/event-reader.js';
import { inBatches } from './support/in-batches.js';
import { ProxyWorld, SETTINGS } from './support/proxy-world.js';
import { readKeys } from './support/redis-observer.js';
import type { Tenant } from './support/tenant.js';

/** At the level none all share connections, and are kept apart by the clients and the servers alone. */
const LEVELS = {
  namespace: SETTINGS,
  none: {
    isolation_level: 'none',
    connection_pools: Object.fromEntries(
      Object.keys(SETTINGS.connection_pools).map((name) => [name, { max_connections: 10 }]),
    ),
  },
} as const;

/** With the users of namespaces; who shares connections shares a login, and at the other brokers nobody needs one. */
function environmentOf(level: string): Environment {
  return level === 'none' ? { DATA_PROXY_KAFKA_BROKERS: requireKafka().brokers.join(',') } : {};
}

const ROUNDS = 125;
const PARALLEL = 10;

/** Four requests, each to a place that both tenants call the same. */
async function playRound(tenant: Tenant, round: number): Promise<string> {
  const own = `${tenant.namespace} ${round}`;
  await tenant.put(`key-${round}`, own);
  await tenant.send('POST', '/v1/messages/orders.new', { body: own });
  await tenant.query('notes.insert', { title: own, body: '' });
  const { bytes } = await tenant.get(`key-${round}`);
  return bytes.toString();
}

const numbered = (tenant: Tenant, count: number): string[] =>
  Array.from({ length: count }, (_, round) => `${tenant.namespace} ${round}`);

describe.each(Object.entries(LEVELS))(
  'two tenants who use the same names a thousand times, at the level %s',
  (_, settings) => {
    let world: ProxyWorld;
    let acme: Tenant;
    let acme2: Tenant;
    const values = new Map<Tenant, string[]>();
    const messages = new Map<Tenant, unknown[]>();

    beforeAll(async () => {
      world = await ProxyWorld.start({ settings, environment: environmentOf(settings.isolation_level) });
      ({ acme, acme2 } = world);
      const tenants = [acme, acme2];
      await using first = await EventReader.subscribe(acme, '>');
      await using second = await EventReader.subscribe(acme2, '>');
      tenants.forEach((tenant) => values.set(tenant, []));
      const turns = Array.from({ length: ROUNDS }, (_, round) => tenants.map((tenant) => ({ tenant, round }))).flat();
      await inBatches(turns, PARALLEL, async ({ tenant, round }) => {
        values.get(tenant)?.push(await playRound(tenant, round));
      });
      for (const [tenant, reader] of [
        [acme, first],
        [acme2, second],
      ] as const) {
        await tenant.send('POST', '/v1/messages/end');
        const events = await reader.take(ROUNDS + 1);
        messages.set(
          tenant,
          events.map(({ data }) => (data as { data: { text: string } }).data.text),
        );
      }
    }, 120_000);

    afterAll(() => world[Symbol.asyncDispose]());

    const sorted = (texts: readonly unknown[] = []): unknown[] => [...texts].map(String).toSorted();

    it.each([
      ['the one', () => acme],
      ['the other', () => acme2],
    ])('see their own keys: %s', (_, of) => {
      expect(sorted(values.get(of()))).toEqual(numbered(of(), ROUNDS).toSorted());
    });

    it.each([
      ['the one', () => acme],
      ['the other', () => acme2],
    ])('get their own messages: %s', (_, of) => {
      expect(sorted(messages.get(of()))).toEqual(['', ...numbered(of(), ROUNDS)].toSorted());
    });

    it.each([
      ['the one', () => acme],
      ['the other', () => acme2],
    ])('see their own rows: %s', async (_, of) => {
      const { body } = await of().query('notes.list', { limit: 1000 });
      const { rows } = body as { rows: { title: string }[] };
      expect(sorted(rows.map(({ title }) => title))).toEqual(numbered(of(), ROUNDS).toSorted());
    });

    it('has rows of both in one table', async () => {
      expect(await world.database.countNotes()).toEqual({ [acme.namespace]: ROUNDS, [acme2.namespace]: ROUNDS });
    });

    it('find no row of the other by its id', async () => {
      const { rows } = await world.database.admin.query<{ id: string }>(
        'select id from notes where tenant_id = $1 limit 1',
        [acme2.namespace],
      );
      const id = rows[0]?.id;
      const [got, deleted] = [await acme.query('notes.get', { id }), await acme.query('notes.delete', { id })];
      expect([got.body, deleted.body]).toEqual([
        { rows: [], row_count: 0 },
        { rows: [], row_count: 0 },
      ]);
    });

    it('consume their own records, with a group of the same name', async () => {
      for (const tenant of [acme, acme2]) {
        const records = numbered(tenant, 50).map((value) => ({ key: 'same', value }));
        await tenant.send('POST', '/v1/topics/events', { body: { records } });
      }
      const [one, other] = await Promise.all(
        [acme, acme2].map((tenant) => tenant.consume('events', 'same', '&max=50')),
      );
      expect([one, other]).toEqual([numbered(acme, 50), numbered(acme2, 50)]);
    });

    it('have keys below their own prefix on the server', async () => {
      const keys = await readKeys(acme.namespace);
      const strangers = [...keys].filter(([key, value]) => !key.startsWith(`tenant:${value.split(' ')[0]}:`));
      expect([keys.size, strangers]).toEqual([2 * ROUNDS, []]);
    });
  },
);
