import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { parsePoolName } from '@palisade/domain';
import { ControlApp } from './support/control-app.js';

describe('metrics of the control plane', () => {
  let app: ControlApp;
  beforeEach(async () => {
    app = await ControlApp.start();
  });
  afterEach(() => app.close());

  async function scrape(): Promise<string[]> {
    const { text } = await app.request('get', '/metrics').expect(200);
    return text.split('\n').filter((line) => line.startsWith('control_plane_'));
  }

  it('count proxies by pool and health, tenants by pool', async () => {
    await app.addProxy('a', parsePoolName('standard'));
    await app.addProxy('b', parsePoolName('standard'), 'unhealthy');
    await app.register('acme', { namespace_pattern: 'acme-*', pool: 'premium' });
    const plain = /^control_plane_(is_leader|leadership_terms_total|registry_revision|tenants|proxies)\b/;
    expect((await scrape()).filter((line) => plain.test(line))).toEqual([
      'control_plane_is_leader 0',
      'control_plane_leadership_terms_total 0',
      'control_plane_registry_revision 1',
      'control_plane_tenants{pool="standard"} 0',
      'control_plane_tenants{pool="premium"} 1',
      'control_plane_proxies{pool="standard",health="unknown"} 0',
      'control_plane_proxies{pool="standard",health="healthy"} 1',
      'control_plane_proxies{pool="standard",health="unhealthy"} 1',
      'control_plane_proxies{pool="premium",health="unknown"} 0',
      'control_plane_proxies{pool="premium",health="healthy"} 0',
      'control_plane_proxies{pool="premium",health="unhealthy"} 0',
    ]);
  });

  it('count proxies by how they enforce the policy of their pool', async () => {
    await app.register('acme', { namespace_pattern: 'acme-*', pool: 'premium' });
    const report = (id: string, policy?: object) =>
      app
        .api('post', '/proxies')
        .send({ id, pool: 'standard', host: '10.0.0.7', port: 1 })
        .then(() => app.api('post', `/proxies/${id}/heartbeat`).send({ policy }).expect(200));
    await report('current', { source: 'stream', revision: 1, age_seconds: 0.5 });
    await report('behind', { source: 'stream', revision: 0, age_seconds: 0 });
    const rejected = { revision: 1, reason: 'no driver' };
    await report('rejecting', { source: 'stream', revision: 0, age_seconds: 0, rejected });
    await report('cut-off', { source: 'disk', revision: 1, age_seconds: 90 });
    await report('foreign');
    expect((await scrape()).filter((line) => line.includes('_policy_') && !line.includes('premium'))).toEqual([
      'control_plane_policy_streams 0',
      'control_plane_policy_proxies{pool="standard",state="current"} 1',
      'control_plane_policy_proxies{pool="standard",state="behind"} 1',
      'control_plane_policy_proxies{pool="standard",state="rejected"} 1',
      'control_plane_policy_proxies{pool="standard",state="stale"} 1',
      'control_plane_policy_proxies{pool="standard",state="unmanaged"} 1',
      'control_plane_policy_lag_revisions{pool="standard"} 1',
      'control_plane_policy_age_seconds{pool="standard"} 90',
    ]);
    const { body: status } = await app.api('get', '/status').expect(200);
    expect(status.policy).toEqual({ current: 1, behind: 1, rejected: 1, stale: 1, unmanaged: 1 });
    const { body: pool } = await app.api('get', '/pools/standard').expect(200);
    expect(pool.proxies.find(({ id }: { id: string }) => id === 'behind').policy).toMatchObject({
      state: 'behind',
      wanted_revision: 1,
      behind: 1,
    });
  });

  it.each([
    [{ revision: 7, pending: [] }, 0],
    [{ revision: 7, pending: [{ tenant: 'acme' }] }, 1],
    [{ names: [{ state: 'applied' }] }, 0],
    [{ names: [{ state: 'applied' }, { state: 'pending' }] }, 1],
    [{ last: { result: 'applied' } }, 0],
    [{ last: { result: 'rolled_back' } }, 1],
    [{ error: 'no such bucket' }, 1],
    [{ backends: [{ backend: 'redis', pending: [] }] }, 0],
    [{ backends: [{ backend: 'redis', pending: [{ tenant: 'acme' }] }] }, 1],
    [{ tenants: { state: 'following' }, pods: { state: 'failing' } }, 1],
  ])('take the status %j of a component for %i', async (detail, failing) => {
    const lease = await app.store.leases.acquire('control-plane', 'test', 60_000);
    await app.store.operations.report({ component: 'it', detail, holder: 'test', at: new Date() }, lease);
    expect(await scrape()).toContain(`control_plane_component_failing{component="it"} ${failing}`);
  });

  it('tell of the last change of the load balancer', async () => {
    const lease = await app.store.leases.acquire('control-plane', 'test', 60_000);
    const first = { id: '1', revision: 1, hash: '', type: 'haproxy', method: 'maps', result: 'applied' } as const;
    const made = { actor: 'test', at: new Date('2026-11-20T08:30:00Z'), durationMs: 20 };
    await app.store.operations.recordVersion({ ...first, ...made }, lease);
    const last = { ...first, id: '2', method: 'reload', result: 'rolled_back', ...made, durationMs: 180 } as const;
    await app.store.operations.recordVersion(last, lease);
    expect((await scrape()).filter((line) => line.includes('load_balancer_change'))).toEqual([
      'control_plane_load_balancer_change_timestamp_seconds{method="reload",result="rolled_back"} 1795163400',
      'control_plane_load_balancer_change_duration_seconds{method="reload",result="rolled_back"} 0.18',
    ]);
  });

  it('leave out what the store cannot tell', async () => {
    await app.store.close();
    const lines = await scrape();
    expect(lines).toContain('control_plane_is_leader 0');
    expect(lines.join()).not.toContain('control_plane_proxies');
  });
});
