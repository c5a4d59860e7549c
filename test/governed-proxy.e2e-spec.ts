import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from './support/until.js';
import { FlowWorld } from './support/flow-world.js';
import { group, patchOp, user } from './support/scim-bodies.js';
import type { ScimClient } from './support/scim-client.js';

const NAMESPACE = 'acme-orders';

let world: FlowWorld;
let idp: ScimClient;

beforeAll(async () => {
  world = await FlowWorld.start('session');
  idp = await world.scim.connect();
  await world.control.register('acme', { namespace_pattern: 'acme-*', pool: 'standard' });
  await world.startProxy();
});

afterAll(() => world[Symbol.asyncDispose](), 30_000);

interface Person {
  readonly id: string;
  readonly group: string;
  readonly token: string;
}

/** A user who may write, by a group of their own. */
async function createPerson(name: string): Promise<Person> {
  const { body: created } = await idp.post('/Users', user({ externalId: name, userName: `${name}@example.com` }));
  const { body: own } = await idp.post('/Groups', group({ externalId: `${name}s`, displayName: name }, [created.id]));
  const binding = { namespace: NAMESPACE, bound_subject: own.id, relation: 'write' };
  expect((await world.scim.admin('post', '/bindings').send(binding)).status).toBe(201);
  return { id: created.id, group: own.id, token: (await world.issueToken(created.id, NAMESPACE)) ?? '' };
}

async function openSession({ token }: Person): Promise<string> {
  const response = await world.send('POST', '/v1/sessions', token);
  const { id } = (await response.json()) as { readonly id: string };
  expect(response.status).toBe(201);
  return id;
}

async function use({ token }: Person, session: string): Promise<{ readonly status: number; readonly code?: string }> {
  const response = await world.send('POST', '/v1/transaction', token, { 'x-palisade-session': session });
  if (response.status === 204) {
    await world.send('DELETE', '/v1/transaction', token, { 'x-palisade-session': session });
    return { status: 204 };
  }
  const { code } = (await response.json()) as { readonly code: string };
  return { status: response.status, code };
}

const deactivate = (id: string, active = false) =>
  idp.patch(`/Users/${encodeURIComponent(id)}`, patchOp({ op: 'replace', path: 'active', value: active }));

/** Each session has one connection to the database, as the database counts them. */
const sessions = () => world.countConnections();

describe('a governed proxy', () => {
  it('serves a user who may, in a session', async () => {
    const ada = await createPerson('ada');
    expect(await use(ada, await openSession(ada))).toEqual({ status: 204 });
  });

  it('ends the sessions of a user who is deactivated, and no others', async () => {
    const [bob, carol] = [await createPerson('bob'), await createPerson('carol')];
    const [own, other] = [await openSession(bob), await openSession(carol)];
    const before = await sessions();
    await deactivate(bob.id);
    await until(async () => (await sessions()) === before - 1);
    expect(await use(bob, own)).toEqual({ status: 403, code: 'ACCESS_DENIED' });
    expect(await use(carol, other)).toEqual({ status: 204 });
    await deactivate(bob.id, true);
    await until(async () => (await use(bob, own)).code === 'SESSION_NOT_FOUND');
    await world.send('DELETE', `/v1/sessions/${other}`, carol.token);
  });

  it.each<[string, (person: Person) => Promise<unknown>]>([
    [
      'leaves the bound group',
      ({ group: id, id: member }) =>
        idp.patch(
          `/Groups/${encodeURIComponent(id)}`,
          patchOp({ op: 'remove', path: `members[value eq "${member}"]` }),
        ),
    ],
    ['is deleted', ({ id }) => idp.delete(`/Users/${encodeURIComponent(id)}`)],
    [
      'loses the binding',
      ({ group: bound_subject }) =>
        world.scim.admin(
          'delete',
          `/bindings?namespace=${NAMESPACE}&bound_subject=${encodeURIComponent(bound_subject)}&relation=write`,
        ),
    ],
  ])('ends the session of a user who %s', async (what, change) => {
    const person = await createPerson(what.replaceAll(' ', '-'));
    await openSession(person);
    const before = await sessions();
    await change(person);
    await expect(until(async () => (await sessions()) === before - 1)).resolves.toBeUndefined();
  });

  it('[a namespace that no tenant of its pool has] sends its users away', async () => {
    const dave = await createPerson('dave');
    await world.control.api('delete', '/tenants/acme').expect(204);
    await until(async () => (await world.send('POST', '/v1/sessions', dave.token)).status === 421);
    const response = await world.send('POST', '/v1/sessions', dave.token);
    expect(await response.json()).toMatchObject({ code: 'NAMESPACE_NOT_SERVED' });
  });
});
