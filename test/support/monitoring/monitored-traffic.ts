import { bulkRequest, group, patchOp, pathOf, searchRequest, user } from '../scim-bodies.js';
import type { MonitoredWorld } from './monitored-world.js';

const UNKNOWN_TOKEN = 'a-token-that-nobody-was-given';

/** Something of everything that dashboards show; `turn` makes names that were not there before. */
export async function drive(world: MonitoredWorld, turn: number): Promise<void> {
  await provision(world, turn);
  await grant(world);
  await beRejectedBySCIM(world);
  await administer(world, turn);
  await beRejectedByControlPlane(world);
  await work(world);
}

async function provision({ provider }: MonitoredWorld, turn: number): Promise<void> {
  const draft = { externalId: `ada-${turn}`, userName: `ada-${turn}@example.com` };
  const { body: ada } = await provider.post('/Users', user(draft)).expect(201);
  const { body: team } = await provider.post('/Groups', group({ externalId: 'team', displayName: 'Team' })).expect(201);
  await provider.put(pathOf(ada), user({ ...draft, title: 'Countess' })).expect(200);
  const change = patchOp({ op: 'add', path: 'members', value: [{ value: ada.id }] });
  await provider.patch(pathOf(team), change);
  await provider.patch(pathOf(ada), patchOp({ op: 'replace', path: 'title', value: 'Lady' })).expect(200);
  await provider.get('/Users?count=1').expect(200);
  await provider.get('/ServiceProviderConfig').expect(200);
  await provider.post('/Users/.search', searchRequest({ count: 1 })).expect(200);
  await provider.post('/Bulk', bulkRequest([{ method: 'DELETE', path: pathOf(ada) }])).expect(200);
}

async function grant({ scim, provider }: MonitoredWorld): Promise<void> {
  const subject = `group:scim:${provider.provider}:team`;
  await scim.admin('post', '/bindings').send({ bound_subject: subject, namespace: 'acme', relation: 'write' });
  await scim.admin('get', `/access/namespaces/acme/users?relation=write`);
  await scim.admin('post', `/providers/${provider.provider}/reconcile`).send({});
}

async function beRejectedBySCIM({ scimWithoutStore, provider, busyProvider }: MonitoredWorld): Promise<void> {
  await provider.withToken(UNKNOWN_TOKEN).get('/Users').expect(401);
  await provider.get('/Nothing').expect(404);
  await provider.patch('/Users/nobody', patchOp({ op: 'replace', path: 'title', value: 'None' })).expect(404);
  await busyProvider.get('/Users').expect(429);
  await scimWithoutStore.admin('get', '/providers').expect(503);
}

async function administer({ control }: MonitoredWorld, turn: number): Promise<void> {
  await control.register(`acme-${turn}`, { namespace_pattern: `acme-${turn}`, pool: 'standard' });
  await control.api('get', `/routing/resolve?namespace=acme-${turn}`).expect(200);
  await control.api('get', `/routing/resolve?namespace=nobody`).expect(404);
  await control.api('post', '/loadbalancer/reload');
  await control.api('get', '/log').expect(200);
}

async function beRejectedByControlPlane({ control, controlWithoutStore }: MonitoredWorld): Promise<void> {
  await control.api('get', '/pools', UNKNOWN_TOKEN).expect(401);
  await control.api('get', '/tenants/nobody').expect(404);
  await controlWithoutStore.api('get', '/pools').expect(503);
}

/** Some of it done, some failed, and some ended by a limit. */
async function work({ proxy }: MonitoredWorld): Promise<void> {
  const { acme, acme2 } = proxy;
  await Promise.all([acme.query('notes.list', { limit: 1 }), acme2.query('nap'), acme2.put('key', 'value')]);
  await acme.query('bodies');
  await acme2.query('fail');
  await acme2.send('POST', '/v1/messages/somewhere', { body: 'to a backend that is not there' });
  await acme2.send('GET', '/v1/kv/key', { headers: { 'x-api-key': UNKNOWN_TOKEN } });
}
