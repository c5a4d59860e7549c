import { afterAll, beforeAll, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { ScimApp } from './support/scim-app.js';
import { bulkRequest, group, patchOp, user } from './support/scim-bodies.js';
import type { ScimClient } from './support/scim-client.js';
import { describeOnEveryStore } from './support/stores.js';

type Call = (client: ScimClient) => PromiseLike<unknown>;

/** Any SCIM call, on a few users and groups so that calls meet each other. */
function anyCall(provider: string): fc.Arbitrary<Call> {
  const number = fc.nat(3);
  const userPath = (n: number): string => `/Users/u${n}`;
  const groupPath = (n: number): string => `/Groups/g${n}`;
  const members = fc
    .array(number, { maxLength: 3 })
    .map((ns) => ns.map((n) => ({ value: `user:scim:${provider}:u${n}` })));
  const name = fc.constantFrom('Pilots', 'Crew', 'pilots');
  return fc.oneof(
    number.map(
      (n): Call =>
        (client) =>
          client.post('/Users', user({ externalId: `u${n}`, userName: `user${n}` })),
    ),
    fc.tuple(number, name).map(
      ([n, displayName]): Call =>
        (client) =>
          client.post('/Groups', group({ externalId: `g${n}`, displayName })),
    ),
    fc.tuple(number, members).map(
      ([n, value]): Call =>
        (client) =>
          client.patch(groupPath(n), patchOp({ op: 'add', path: 'members', value })),
    ),
    fc.tuple(number, members).map(
      ([n, value]): Call =>
        (client) =>
          client.patch(groupPath(n), patchOp({ op: 'replace', path: 'members', value })),
    ),
    fc.tuple(number, name).map(
      ([n, value]): Call =>
        (client) =>
          client.patch(groupPath(n), patchOp({ op: 'replace', path: 'displayName', value })),
    ),
    fc.tuple(number, name).map(
      ([n, displayName]): Call =>
        (client) =>
          client.put(groupPath(n), group({ displayName })),
    ),
    fc.tuple(number, fc.boolean()).map(
      ([n, value]): Call =>
        (client) =>
          client.patch(userPath(n), patchOp({ op: 'replace', path: 'active', value })),
    ),
    fc.tuple(number, fc.uuid()).map(
      ([n, value]): Call =>
        (client) =>
          client.patch(groupPath(n), patchOp({ op: 'replace', path: 'externalId', value })),
    ),
    number.map(
      (n): Call =>
        (client) =>
          client.delete(userPath(n)),
    ),
    number.map(
      (n): Call =>
        (client) =>
          client.delete(groupPath(n)),
    ),
    number.map(
      (n): Call =>
        (client) =>
          client.post('/Bulk', bulkRequest([{ method: 'DELETE', path: groupPath(n) }])),
    ),
  );
}

describeOnEveryStore('provisioning', (openStore) => {
  let app: ScimApp;

  beforeAll(async () => {
    app = await ScimApp.start(await openStore());
  });

  afterAll(() => app.close());

  async function bindings(provider: string): Promise<unknown[]> {
    const { status, body } = await app.admin('get', `/bindings?provider=${provider}`);
    expect(status).toBe(200);
    // Whether a bound group exists, and its name, are the directory's.
    return body.items.map(({ state: _state, display: _display, ...binding }: Record<string, unknown>) => binding);
  }

  it('never changes the bindings, whatever the sequence of SCIM calls', async () => {
    await fc.assert(
      fc.asyncProperty(fc.gen(), async (generate) => {
        const client = await app.connect();
        for (const [group, relation] of [
          ['g0', 'read'],
          ['g1', 'admin'],
          ['g3', 'write'],
        ]) {
          const boundSubject = `group:scim:${client.provider}:${group}`;
          const added = await app
            .admin('post', '/bindings')
            .send({ bound_subject: boundSubject, namespace: 'billing', relation, pending: true });
          expect(added.status).toBe(201);
        }
        const before = await bindings(client.provider);
        expect(before).toHaveLength(3);
        for (const call of generate(() => fc.array(anyCall(client.provider), { minLength: 5, maxLength: 25 }))) {
          await call(client);
        }
        expect(await bindings(client.provider)).toEqual(before);
      }),
      { numRuns: 15 },
    );
  });

  it('gives nobody access before a binding is added', async () => {
    const client = await app.connect();
    const { body: ada } = await client.post('/Users', user({ externalId: 'ada', userName: 'ada' }));
    await client.post('/Groups', group({ externalId: 'admins', displayName: 'billing-admins' }, [ada.id]));
    const question = `/access/check?provider=${client.provider}&user=ada&namespace=billing&relation=read`;
    const before = await app.admin('get', question);
    expect([before.status, before.body.allowed]).toEqual([200, false]);
    const boundSubject = `group:scim:${client.provider}:admins`;
    await app.admin('post', '/bindings').send({ bound_subject: boundSubject, namespace: 'billing' });
    const after = await app.admin('get', question);
    expect([after.status, after.body.allowed]).toEqual([200, true]);
  });
});
