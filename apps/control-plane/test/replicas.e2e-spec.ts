import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { StoreUnavailableError } from '@palisade/domain';
import { MemoryStore, openStore } from '@palisade/storage';
import { createScratchDatabase, type ScratchDatabase } from '../../../libs/storage/test/scratch-database.js';
import { ControlApp } from './support/control-app.js';
import { until } from '../../../test/support/until.js';

describe('two replicas on one PostgreSQL', () => {
  let database: ScratchDatabase;
  let one: ControlApp;
  let other: ControlApp;

  beforeAll(async () => {
    database = await createScratchDatabase();
    [one, other] = await Promise.all([
      ControlApp.start({ store: await openStore(database.url) }),
      ControlApp.start({ store: await openStore(database.url) }),
    ]);
  });

  afterAll(async () => {
    await Promise.all([one.close(), other.close()]);
    await database.drop();
  });

  it('answer at once for what was changed on the other', async () => {
    await one.register('acme', { namespace_pattern: 'acme-*', pool: 'standard' });
    await other.api('get', '/tenants/acme').expect(200);
    const etag = (
      await other.api('put', '/tenants/acme').send({ namespace_pattern: 'acme-*', pool: 'premium' }).expect(200)
    ).headers['etag'];
    const { body } = await one.api('get', '/routing/resolve?namespace=acme-eu').expect(200);
    expect(body.pool).toBe('premium');
    expect((await one.api('get', '/tenants/acme')).headers['etag']).toBe(etag);
    await one.api('delete', '/tenants/acme').expect(204);
    await other.api('get', '/tenants/acme').expect(404);
  });

  it('learn of changes without being asked', async () => {
    await one.register('silent', { namespace_pattern: 'silent', pool: 'standard' });
    await until(() => other.table.resolve('silent') !== undefined);
    expect(other.table.revision).toBe(one.table.revision);
  });

  it('let one of several overlapping tenants at once through', async () => {
    const patterns = ['race-*', '*-race', 'race-race', 'race-?*', '*race*', 'race-ra*'];
    const answers = await Promise.all(
      patterns.map((namespace_pattern, at) =>
        (at % 2 === 0 ? one : other)
          .api('post', '/tenants')
          .send({ tenant_id: `racer-${at}`, namespace_pattern, pool: 'standard' }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409, 409]);
  });

  it('let one of two changes of the same version through', async () => {
    await one.register('shared', { namespace_pattern: 'shared', pool: 'standard' });
    const { headers } = await one.api('get', '/tenants/shared');
    const change = (app: ControlApp, annual_revenue: number) =>
      app
        .api('put', '/tenants/shared')
        .set('If-Match', headers['etag'] ?? '')
        .send({ namespace_pattern: 'shared', pool: 'standard', annual_revenue });
    const answers = await Promise.all([change(one, 1), change(other, 2)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412]);
  });
});

/** A store that cannot be reached at first. */
class LateStore extends MemoryStore {
  isThere = false;

  override async migrate(): Promise<void> {
    if (!this.isThere) {
      throw new StoreUnavailableError(1);
    }
  }
}

describe('a replica whose store is not there yet', () => {
  it('lives, is not ready, answers 503, and loads the tenants when it is', async () => {
    const store = new LateStore();
    const app = await ControlApp.start({ store });
    await app.request('get', '/health/live').expect(200);
    await app.request('get', '/health/ready').expect(503);
    for (const path of ['/tenants', '/routing/resolve?namespace=acme', '/pools']) {
      await app.api('get', path).expect(503).expect('Retry-After', '1');
    }
    store.isThere = true;
    await until(async () => (await app.request('get', '/health/ready')).status === 200);
    await app.register('acme', { namespace_pattern: 'acme', pool: 'standard' });
    await app.close();
  });
});

describe('a replica whose store goes away', () => {
  it('goes on answering where namespaces go, and changes nothing', async () => {
    const app = await ControlApp.start();
    await app.register('acme', { namespace_pattern: 'acme-*', pool: 'standard' });
    await app.request('get', '/health/ready').expect(200);
    await app.store.close();
    const { body } = await app.api('get', '/routing/resolve?namespace=acme-eu').expect(200);
    expect(body.pool).toBe('standard');
    await app.api('post', '/routing/explain').send({ namespace: 'acme-eu' }).expect(200);
    await app.api('get', '/tenants').expect(200);
    expect((await app.api('get', '/tenants/acme').expect(200)).body.routing).not.toHaveProperty('healthy_proxies');
    const globex = { tenant_id: 'globex', namespace_pattern: 'globex', pool: 'standard' };
    const { headers } = await app.api('post', '/tenants').send(globex).expect(503);
    expect(headers['retry-after']).toBe('1');
    await app.close();
  });
});
