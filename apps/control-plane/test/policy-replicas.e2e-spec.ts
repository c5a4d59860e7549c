import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openStore } from '@palisade/storage';
import { Client } from 'pg';
import { createScratchDatabase, type ScratchDatabase } from '../../../libs/storage/test/scratch-database.js';
import { ControlApp } from './support/control-app.js';
import { PolicyStreamReader } from './support/policy-stream-reader.js';

const YAML = `
deployment: { model: hybrid }
proxy_pools:
  standard: { replicas: 2, isolation_level: namespace }
  premium: { replicas: 3, isolation_level: session }
`;

describe('policy streams of two replicas on one PostgreSQL', () => {
  let database: ScratchDatabase;
  let one: ControlApp;
  let other: ControlApp;

  beforeAll(async () => {
    database = await createScratchDatabase();
    [one, other] = await Promise.all([start(), start()]);
    const body = { id: 'standard-1', pool: 'standard', host: '10.0.0.7', port: 8080 };
    await one.api('post', '/proxies').send(body).expect(201);
  });

  afterAll(async () => {
    await Promise.all([one.close(), other.close()]);
    await database.drop();
  });

  async function start(): Promise<ControlApp> {
    return ControlApp.start({ yaml: YAML, store: await openStore(database.url) });
  }

  const idsIn = ({ data }: { readonly data: { readonly tenants: readonly { readonly tenant_id: string }[] } }) =>
    data.tenants.map(({ tenant_id: id }) => id);

  it('tell what was changed on the other', async () => {
    const stream = await PolicyStreamReader.open(other, 'standard-1');
    await stream.take('policy');
    await one.register('acme', { namespace_pattern: 'acme', pool: 'standard' });
    expect(idsIn(await stream.takeEffect())).toEqual(['acme']);
    stream.close();
  });

  it('go on on the other where the first was closed', async () => {
    const first = await PolicyStreamReader.open(one, 'standard-1');
    const { id } = await first.take('policy');
    first.close();
    await one.register('second', { namespace_pattern: 'second', pool: 'standard' });
    const resumed = await PolicyStreamReader.open(other, 'standard-1', { after: id });
    const event = await resumed.take();
    expect([event.event, idsIn(event)]).toEqual(['change', ['second']]);
    resumed.close();
  });

  it('begin with a complete policy on a replica that has started since, which has the same configuration', async () => {
    const first = await PolicyStreamReader.open(one, 'standard-1');
    const { data } = await first.take('policy');
    first.close();
    await one.register('third', { namespace_pattern: 'third', pool: 'standard' });
    const late = await start();
    const resumed = await PolicyStreamReader.open(late, 'standard-1', { after: `${data.configuration}:1` });
    const event = await resumed.take();
    expect([event.event, event.data.configuration, idsIn(event).toSorted()]).toEqual([
      'policy',
      data.configuration,
      ['acme', 'second', 'third'],
    ]);
    resumed.close();
    await late.close();
  });

  it('[an older revision] begin again when the store is restored to an earlier state, and say so', async () => {
    const streams = await Promise.all([one, other].map((app) => PolicyStreamReader.open(app, 'standard-1')));
    const before = await Promise.all(streams.map((stream) => stream.take('policy')));
    const connection = new Client({ connectionString: database.url });
    await connection.connect();
    await connection.query(
      `begin; delete from tenants where id <> 'acme'; update registry set revision = 1 where name = 'tenants'; commit`,
    );
    await connection.end();
    for (const [at, stream] of streams.entries()) {
      const { data } = await stream.take('policy');
      expect(data).toMatchObject({ revision: 1, restored: true, tenants: [{ tenant_id: 'acme' }] });
      expect(data.configuration).not.toBe(before[at]?.data.configuration);
    }
    await one.register('later', { namespace_pattern: 'later', pool: 'standard' });
    for (const stream of streams) {
      expect(idsIn(await stream.takeEffect())).toEqual(['later']);
      stream.close();
    }
  });

  it('[an older revision] begin again after a restore that no replica has seen, once revisions go on beyond the lost ones', async () => {
    const stream = await PolicyStreamReader.open(one, 'standard-1');
    await one.register('lost-1', { namespace_pattern: 'lost-1', pool: 'standard' });
    await one.register('lost-2', { namespace_pattern: 'lost-2', pool: 'standard' });
    await stream.until(() =>
      stream.events.some(({ data }) => idsIn({ data: { tenants: [], ...data } }).includes('lost-2')),
    );
    const after = stream.events.at(-1)?.id;
    stream.close();
    await Promise.all([one.close(), other.close()]);
    const connection = new Client({ connectionString: database.url });
    await connection.connect();
    await connection.query("delete from tenants where id like 'lost-%'");
    await connection.query("update registry set revision = 2 where name = 'tenants'");
    // As docs/operations.md has it.
    await connection.query("update registry set revision = revision + 1000000 where name = 'tenants'");
    await connection.end();
    [one, other] = await Promise.all([start(), start()]);
    for (const id of ['new-1', 'new-2', 'new-3']) {
      await one.register(id, { namespace_pattern: id, pool: 'standard' });
    }
    for (const app of [one, other]) {
      const resumed = await PolicyStreamReader.open(app, 'standard-1', { after });
      const event = await resumed.take();
      resumed.close();
      expect([event.event, idsIn(event).filter((id) => id.startsWith('lost'))]).toEqual(['policy', []]);
      expect(event.data.revision).toBeGreaterThan(1_000_000);
    }
  });
});
