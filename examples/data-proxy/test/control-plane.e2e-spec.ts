import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { waitUntil } from '../../../libs/isolation/test/support/wait-until.js';
import { CONTROL_TOKEN, ControlPlane } from './support/control-plane.js';
import { POSTGRES_ONLY, ProxyWorld, SETTINGS } from './support/proxy-world.js';

const ID = 'data-proxy-7';

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

const list = (world: ProxyWorld) => world.acme.query('notes.list', { limit: 1 });

async function untilServed(world: ProxyWorld): Promise<void> {
  await waitUntil(async () => (await list(world)).status === 200, 'the tenant is served');
}

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

  it('serves the tenants of its pool, and says of other namespaces that they are not here', async () => {
    await using world = await startProxy();
    await control.registerTenant('acme', world.acme.namespace);
    await untilServed(world);
    const other = await world.acme2.query('notes.list', { limit: 1 });
    expect([other.status, other.body]).toEqual([421, expect.objectContaining({ code: 'NAMESPACE_NOT_SERVED' })]);
  });

  it('says which policy is in force, and where it came from', async () => {
    await using world = await startProxy();
    await waitUntil(async () => (await control.find(ID))?.policy?.source === 'stream', 'the policy is reported');
    const ready = await fetch(`${world.origin}/health/ready`).then((response) => response.text());
    const metrics = await fetch(`${world.origin}/metrics`).then((response) => response.text());
    expect(ready).toMatch(/"policy":"revision \d+ \(stream\), control plane last heard of 0 s ago"/);
    expect(metrics).toContain('isolation_policy_source{source="stream"} 1');
  });

  it('registers again when it was forgotten', async () => {
    await using world = await startProxy();
    await control.registerTenant('acme', world.acme.namespace);
    await control.forget(ID);
    await waitUntil(async () => (await control.find(ID)) !== undefined, 'it is known again');
    await expect(untilServed(world)).resolves.toBeUndefined();
  });

  it.each([
    ['cannot be reached', { DATA_PROXY_CONTROL_URL: 'http://127.0.0.1:9' }],
    ['rejects it', { DATA_PROXY_CONTROL_TOKEN: 'another-token-than-it-has' }],
  ])('[no policy, ever] serves nobody, and is not ready, when the control plane %s', async (_, environment) => {
    await using world = await startProxy(environment);
    const { status, body, headers } = await list(world);
    expect([status, body, headers['retry-after']]).toEqual([503, expect.objectContaining({ code: 'NO_POLICY' }), '1']);
    expect((await fetch(`${world.origin}/health/ready`)).status).toBe(503);
  });

  it('[no control plane] serves its tenants', async () => {
    await using world = await startProxy();
    await control.registerTenant('acme', world.acme.namespace);
    await untilServed(world);
    await control[Symbol.asyncDispose]();
    await waitUntil(
      async () => (await (await fetch(`${world.origin}/health/ready`)).text()).includes('not connected'),
      'it notices',
    );
    expect((await list(world)).status).toBe(200);
    control = await ControlPlane.start();
  });
});
