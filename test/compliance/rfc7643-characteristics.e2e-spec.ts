import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ScimApp } from '../support/scim-app.js';
import { USER_URN, group, patchOp, pathOf, user } from '../support/scim-bodies.js';
import { DEVICE_EXTENSION, DEVICE_URN } from './device-extension.js';
import { rejection } from './rejection.js';

let app: ScimApp;
beforeAll(async () => {
  app = await ScimApp.start();
});
afterAll(() => app.close());

function device(userName: string, attributes: Record<string, string>) {
  return { schemas: [USER_URN, DEVICE_URN], userName, [DEVICE_URN]: attributes };
}

describe('RFC 7643 §7 attribute characteristics', () => {
  it.each([
    ['userName eq "BJENSEN"', 1],
    ['title sw "vp"', 1],
    ['externalId eq "abc"', 0],
    ['externalId eq "ABC"', 1],
    [`${DEVICE_URN}:serial eq "x1"`, 0],
    [`${DEVICE_URN}:serial eq "X1"`, 1],
  ])('[RFC7643-7-8] finds by %s as caseExact of the attribute says', async (filter, count) => {
    const scim = await app.connect({ extensions: [DEVICE_EXTENSION] });
    await scim.post('/Users', { ...device('bjensen', { serial: 'X1' }), externalId: 'ABC', title: 'VP' });
    const { body } = await scim.query('/Users', { filter });
    expect(body.totalResults).toBe(count);
  });

  it('[RFC7643-7-9] keeps the case of a case-exact value', async () => {
    const scim = await app.connect({ extensions: [DEVICE_EXTENSION] });
    const { body } = await scim.post('/Users', { ...device('a', { serial: 'aBcÄ' }), externalId: 'xYz' });
    const { body: read } = await scim.get(pathOf(body));
    expect([read.externalId, read[DEVICE_URN].serial]).toEqual(['xYz', 'aBcÄ']);
  });

  it.each([
    ['id', 'user:scim:acme:other'],
    ['meta.created', '2001-01-01T00:00:00Z'],
    ['meta', { resourceType: 'Group' }],
    ['groups', [{ value: 'group:scim:acme:x' }]],
  ])('[RFC7643-7-10] rejects a PATCH of the read-only %s', async (path, value) => {
    const scim = await app.connect();
    const { body } = await scim.post('/Users', user({ userName: 'a' }));
    const { body: before } = await scim.get(pathOf(body));
    const patched = await scim.patch(pathOf(body), patchOp({ op: 'replace', path, value }));
    const { body: after } = await scim.get(pathOf(body));
    expect([rejection(patched), after]).toEqual(['400 mutability', before]);
  });

  it('[RFC7643-7-11] refuses to change an immutable attribute by PATCH', async () => {
    const scim = await app.connect({ extensions: [DEVICE_EXTENSION] });
    const { body } = await scim.post('/Users', device('a', { serial: 'X1' }));
    const path = `${DEVICE_URN}:serial`;
    const patched = await scim.patch(pathOf(body), patchOp({ op: 'replace', path, value: 'X2' }));
    const { body: after } = await scim.get(pathOf(body));
    expect([rejection(patched), after[DEVICE_URN].serial]).toEqual(['400 mutability', 'X1']);
  });

  it('[RFC7643-7-11] sets an immutable attribute once by PATCH', async () => {
    const scim = await app.connect({ extensions: [DEVICE_EXTENSION] });
    const { body } = await scim.post('/Users', user({ userName: 'a' }));
    const path = `${DEVICE_URN}:serial`;
    const { body: after } = await scim.patch(pathOf(body), patchOp({ op: 'add', path, value: 'X1' }));
    expect(after[DEVICE_URN]).toEqual({ serial: 'X1' });
  });

  it('[RFC7643-7-11] refuses to change the value of a member in place', async () => {
    const scim = await app.connect();
    const { body: alice } = await scim.post('/Users', user({ userName: 'alice' }));
    const { body: bob } = await scim.post('/Users', user({ userName: 'bob' }));
    const { body: team } = await scim.post('/Groups', group({ displayName: 'Team' }, [alice.id]));
    const path = `members[value eq "${alice.id}"].value`;
    const patched = await scim.patch(pathOf(team), patchOp({ op: 'replace', path, value: bob.id }));
    expect(rejection(patched)).toBe('400 mutability');
  });

  it('[RFC7643-7] returns an attribute of returned "request" only when it is asked for', async () => {
    const scim = await app.connect({ extensions: [DEVICE_EXTENSION] });
    const { body: created } = await scim.post('/Users', device('a', { serial: 'X1', location: 'Oslo' }));
    const { body: plain } = await scim.get(pathOf(created));
    const { body: asked } = await scim.query(pathOf(created), { attributes: `${DEVICE_URN}:location` });
    expect([plain[DEVICE_URN], asked[DEVICE_URN]]).toEqual([{ serial: 'X1' }, { location: 'Oslo' }]);
  });

  it('[RFC7643-7] returns an attribute of returned "request" to a write that sets it', async () => {
    const scim = await app.connect({ extensions: [DEVICE_EXTENSION] });
    const path = `${DEVICE_URN}:location`;
    const { body: created } = await scim.post('/Users', device('a', { serial: 'X1', location: 'Oslo' }));
    const { body: replaced } = await scim.put(pathOf(created), device('a', { serial: 'X1', location: 'Bergen' }));
    const { body: patched } = await scim.patch(pathOf(created), patchOp({ op: 'replace', path, value: 'Turku' }));
    const { body: other } = await scim.patch(pathOf(created), patchOp({ op: 'replace', path: 'title', value: 'VP' }));
    expect([created, replaced, patched, other].map((body) => body[DEVICE_URN])).toEqual([
      { serial: 'X1', location: 'Oslo' },
      { serial: 'X1', location: 'Bergen' },
      { serial: 'X1', location: 'Turku' },
      { serial: 'X1' },
    ]);
  });

  it('[RFC7643-7-13][RFC7643-7-14] keeps userName, which is unique per server, unique within the provider only', async () => {
    const [scim, other] = [await app.connect(), await app.connect()];
    await scim.post('/Users', user({ userName: 'a' }));
    const again = await scim.post('/Users', user({ userName: 'A' }));
    const elsewhere = await other.post('/Users', user({ userName: 'a' }));
    expect([rejection(again), elsewhere.status]).toEqual(['409 uniqueness', 201]);
  });
});
