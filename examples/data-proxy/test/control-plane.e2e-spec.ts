import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { IsolationPools } from '@palisade/isolation';
import { waitUntil } from '../../../libs/isolation/test/support/wait-until.js';
import { CONTROL_TOKEN, ControlPlane } from './support/control-plane.js';
import { POSTGRES_ONLY, ProxyWorld, SETTINGS } from './support/proxy-world.js';

const ID = 'data-proxy-7';
const CAP = SETTINGS.connection_pools.postgres.max_total_connections;

let control: ControlPlane;

beforeEach(async () => {
  control = await ControlPlane.start();
});

afterEach(() => control[Symbol.asyncDispose]());

function startProxy(environment: Readonly<Record<string, string>> = {}): Promise<ProxyWorld> {
  return ProxyWorld.start({
    settings: SETTINGS,
    environment: {
      ...POSTGRES_ONLY,
      DATA_PROXY_ID: ID,
      DATA_PROXY_CONTROL_URL: control.origin,
      DATA_PROXY_CONTROL_TOKEN: CONTROL_TOKEN,
      DATA_PROXY_ADVERTISE: '10.0.0.7:8443',
      ...environment,
    },
  });
}

const capOf = (world: ProxyWorld): number | undefined => world.get(IsolationPools).snapshots()[0]?.maxTotal;

describe('a data proxy of a control plane', () => {
  it('is known there from its start to its end', async () => {
    await using world = await startProxy();
    const during = await control.find(ID);
    await world.close();
    expect([during, await control.find(ID)]).toEqual([
      expect.objectContaining({ pool: 'standard', host: '10.0.0.7', port: 8443, source: 'registration' }),
      undefined,
    ]);
  });

  it('takes the cap of a backend for itself while it is alone', async () => {
    await using world = await startProxy();
    expect(capOf(world)).toBe(CAP);
  });

  it('takes its part beside other proxies of the pool', async () => {
    await control.addHealthyProxy('a');
    await using world = await startProxy();
    expect(capOf(world)).toBe(CAP / 2);
  });

  it('gives a part away when another proxy joins the pool, and takes it back when that has left', async () => {
    await using world = await startProxy();
    await control.addHealthyProxy('a');
    await waitUntil(() => capOf(world) === CAP / 2, 'the part is given away');
    await control.forget('a');
    await expect(waitUntil(() => capOf(world) === CAP, 'the part is taken back')).resolves.toBeUndefined();
  });

  it('takes its part of as many as there are to be', async () => {
    await control.addHealthyProxy('a');
    await using world = await startProxy({ DATA_PROXY_REPLICAS: '5' });
    expect(capOf(world)).toBe(CAP / 5);
  });

  it('registers again when it was forgotten', async () => {
    await using world = await startProxy();
    await control.forget(ID);
    await waitUntil(async () => (await control.find(ID)) !== undefined, 'it is known again');
    expect((await world.acme.query('notes.list', { limit: 1 })).status).toBe(200);
  });

  it.each([
    ['cannot be reached', { DATA_PROXY_CONTROL_URL: 'http://127.0.0.1:9' }],
    ['refuses it', { DATA_PROXY_CONTROL_TOKEN: 'another-token-than-it-has' }],
  ])('serves its tenants when the control plane %s', async (_, environment) => {
    await using world = await startProxy(environment);
    expect((await world.acme.query('notes.list', { limit: 1 })).status).toBe(200);
  });
});
