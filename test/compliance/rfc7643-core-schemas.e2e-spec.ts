import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ScimApp } from '../support/scim-app.js';
import { ENTERPRISE_URN, enterpriseUser, group, patchOp, pathOf, user } from '../support/scim-bodies.js';
import { rejection } from './rejection.js';

let app: ScimApp;
beforeAll(async () => {
  app = await ScimApp.start();
});
afterAll(() => app.close());

describe('RFC 7643 §4.1.1 users', () => {
  it.each([[undefined], [null], [''], [7]])(
    '[RFC7643-4.1.1-1][RFC7643-4.1.1-3] rejects a userName of %p',
    async (userName) => {
      const scim = await app.connect();
      expect(rejection(await scim.post('/Users', user(userName === undefined ? {} : { userName })))).toBe(
        '400 invalidValue',
      );
    },
  );

  it('[RFC7643-4.1.1-1] refuses to unassign userName', async () => {
    const scim = await app.connect();
    const { body } = await scim.post('/Users', user({ userName: 'a' }));
    expect((await scim.put(pathOf(body), user({ userName: null }))).status).toBe(400);
  });

  it('[RFC7643-4.1.1-2] rejects a second user with one userName, by POST, PUT and PATCH', async () => {
    const scim = await app.connect();
    await scim.post('/Users', user({ userName: 'a' }));
    const { body } = await scim.post('/Users', user({ userName: 'b' }));
    const posted = await scim.post('/Users', user({ userName: 'a' }));
    const replaced = await scim.put(pathOf(body), user({ userName: 'a' }));
    const patched = await scim.patch(pathOf(body), patchOp({ op: 'replace', path: 'userName', value: 'a' }));
    expect([posted, replaced, patched].map(rejection)).toEqual(['409 uniqueness', '409 uniqueness', '409 uniqueness']);
  });

  it('[RFC7643-4.1.1-3] compares userName without regard to case and keeps it as it was sent', async () => {
    const scim = await app.connect();
    const { body } = await scim.post('/Users', user({ userName: 'BJensen' }));
    const again = await scim.post('/Users', user({ userName: 'bjensen' }));
    expect([body.userName, rejection(again)]).toEqual(['BJensen', '409 uniqueness']);
  });

  it('[RFC7643-4.1.1-8][RFC7643-4.1.1-13][RFC7643-7-12] returns no password, whatever is asked for', async () => {
    const scim = await app.connect();
    const created = await scim.post('/Users?attributes=password', user({ userName: 'a', password: 'tr0ub4dor&3' }));
    const path = pathOf(created.body);
    const answers = [
      created,
      await scim.get(`${path}?attributes=userName,password`),
      await scim.query('/Users', { attributes: 'password' }),
      await scim.put(`${path}?attributes=password`, user({ userName: 'a', password: 'tr0ub4dor&3' })),
      await scim.patch(
        `${path}?attributes=password`,
        patchOp({ op: 'replace', path: 'password', value: 'tr0ub4dor&3' }),
      ),
    ];
    expect(answers.map(({ status, text }) => [status, /password|tr0ub4dor/.test(text)])).toEqual([
      [201, false],
      [200, false],
      [200, false],
      [200, false],
      [200, false],
    ]);
  });

  it('[RFC7643-9.2-1] stores no password', async () => {
    const scim = await app.connect();
    const { body } = await scim.post('/Users', user({ userName: 'a', password: 'tr0ub4dor&3' }));
    await scim.patch(pathOf(body), patchOp({ op: 'add', value: { password: 'tr0ub4dor&3', title: 'Boss' } }));
    const stored = await app.store.directory.list(scim.provider, {
      selections: [{ type: 'User' }],
      order: 'created',
      page: { kind: 'index', startIndex: 1, count: 10 },
      include: {},
    });
    await app.store.log.seal();
    const recorded = await app.store.log.list({ provider: scim.provider, limit: 100 });
    expect(stored.items[0]?.attributes).toMatchObject({ title: 'Boss' });
    expect(JSON.stringify([stored, recorded])).not.toMatch(/password|tr0ub4dor/);
  });
});

describe('RFC 7643 §4.1.2 multi-valued attributes of users', () => {
  it('[RFC7643-4.1.2-6] suggests the well-known types for ims', async () => {
    const scim = await app.connect();
    const { body } = await scim.get('/Schemas/urn:ietf:params:scim:schemas:core:2.0:User');
    const ims = body.attributes.find(({ name }: { name: string }) => name === 'ims');
    const type = ims.subAttributes.find(({ name }: { name: string }) => name === 'type');
    const known = ['aim', 'gtalk', 'icq', 'xmpp', 'msn', 'skype', 'qq', 'yahoo'];
    expect(type.canonicalValues).toEqual(expect.arrayContaining(known));
  });

  it('[RFC7643-4.1.2-10][RFC7643-4.1.2-11] lists groups by id and URI, and tells direct from indirect ones', async () => {
    const scim = await app.connect();
    const { body: alice } = await scim.post('/Users', user({ userName: 'alice' }));
    const { body: inner } = await scim.post('/Groups', group({ displayName: 'Inner' }, [alice.id]));
    const { body: outer } = await scim.post('/Groups', group({ displayName: 'Outer' }, [inner.id]));
    const { body } = await scim.get(pathOf(alice));
    expect(new Set(body.groups)).toEqual(
      new Set([
        { value: inner.id, $ref: inner.meta.location, display: 'Inner', type: 'direct' },
        { value: outer.id, $ref: outer.meta.location, display: 'Outer', type: 'indirect' },
      ]),
    );
  });

  it('[RFC7643-4.1.2-10][RFC7643-4.1.2-12] changes a direct membership through the group', async () => {
    const scim = await app.connect();
    const { body: alice } = await scim.post('/Users', user({ userName: 'alice' }));
    const { body: team } = await scim.post('/Groups', group({ displayName: 'Team' }, [alice.id]));
    await scim.patch(pathOf(team), patchOp({ op: 'remove', path: `members[value eq "${alice.id}"]` }));
    const { body } = await scim.get(pathOf(alice));
    expect(body.groups ?? []).toEqual([]);
  });

  it('[RFC7643-4.1.2-12] rejects or ignores a change of memberships through the user', async () => {
    const scim = await app.connect();
    const { body: alice } = await scim.post('/Users', user({ userName: 'alice' }));
    const { body: team } = await scim.post('/Groups', group({ displayName: 'Team' }));
    const groups = [{ value: team.id }];
    const patched = await scim.patch(pathOf(alice), patchOp({ op: 'add', path: 'groups', value: groups }));
    const replaced = await scim.put(pathOf(alice), user({ userName: 'alice', groups }));
    const { body } = await scim.get(pathOf(team));
    expect([rejection(patched), replaced.status, body.members ?? []]).toEqual(['400 mutability', 200, []]);
  });

  it.each([['not base64'], ['-----BEGIN CERTIFICATE-----']])(
    '[RFC7643-4.1.2-13] rejects a certificate of %s',
    async (value) => {
      const scim = await app.connect();
      const created = await scim.post('/Users', user({ userName: 'a', x509Certificates: [{ value }] }));
      expect(rejection(created)).toBe('400 invalidValue');
    },
  );

  it('[RFC7643-4.1.2-13] returns a certificate octet for octet', async () => {
    const scim = await app.connect();
    const value = Buffer.from([0x30, 0x82, 0x00, 0xff, 0xfe]).toString('base64');
    const { body } = await scim.post('/Users', user({ userName: 'a', x509Certificates: [{ value }] }));
    expect(body.x509Certificates).toEqual([{ value: 'MIIA//4=' }]);
  });
});

describe('RFC 7643 §4.2 groups and §4.3 enterprise users', () => {
  it.each([[{}], [{ displayName: null }], [{ displayName: '' }]])(
    '[RFC7643-4.2-1] rejects a group with %j for a name',
    async (attributes) => {
      const scim = await app.connect();
      expect(rejection(await scim.post('/Groups', group(attributes)))).toBe('400 invalidValue');
    },
  );

  it('[RFC7643-4.2] lists members by id, URI, type and name', async () => {
    const scim = await app.connect();
    const { body: alice } = await scim.post('/Users', user({ userName: 'alice', displayName: 'Alice' }));
    const { body: inner } = await scim.post('/Groups', group({ displayName: 'Inner' }));
    const { body } = await scim.post('/Groups', group({ displayName: 'Outer' }, [alice.id, inner.id]));
    expect(body.members).toEqual([
      { value: alice.id, $ref: alice.meta.location, type: 'User', display: 'Alice' },
      { value: inner.id, $ref: inner.meta.location, type: 'Group', display: 'Inner' },
    ]);
  });

  it('[RFC7643-4.3-1] keeps the manager by id and finds users by it', async () => {
    const scim = await app.connect();
    const { body: boss } = await scim.post('/Users', user({ userName: 'boss' }));
    const { body } = await scim.post('/Users', enterpriseUser({ userName: 'a' }, { manager: { value: boss.id } }));
    const filter = `${ENTERPRISE_URN}:manager.value eq "${boss.id}"`;
    const { body: found } = await scim.query('/Users', { filter });
    expect([body[ENTERPRISE_URN].manager.value, found.totalResults]).toEqual([boss.id, 1]);
  });

  it('[RFC7643-4.3-2] links the manager by URI', async () => {
    const scim = await app.connect();
    const { body: boss } = await scim.post('/Users', user({ userName: 'boss' }));
    const manager = { value: boss.id, $ref: boss.meta.location };
    const { body } = await scim.post('/Users', enterpriseUser({ userName: 'a' }, { manager }));
    const { body: linked } = await scim.follow(body[ENTERPRISE_URN].manager.$ref);
    expect(linked.userName).toBe('boss');
  });

  it('[RFC7643-4.3] does not let clients set the display name of a manager', async () => {
    const scim = await app.connect();
    const manager = { value: 'x', displayName: 'Forged' };
    const { text, status } = await scim.post('/Users', enterpriseUser({ userName: 'a' }, { manager }));
    expect([status, text.includes('Forged')]).toEqual([201, false]);
  });
});
