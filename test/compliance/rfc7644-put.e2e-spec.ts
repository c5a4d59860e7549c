import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ScimApp } from '../support/scim-app.js';
import { USER_URN, group, pathOf, user } from '../support/scim-bodies.js';
import { DEVICE_EXTENSION, DEVICE_URN } from './device-extension.js';
import { rejection } from './rejection.js';

let app: ScimApp;
beforeAll(async () => {
  app = await ScimApp.start();
});
afterAll(() => app.close());

function device(attributes: Record<string, string>) {
  return { schemas: [USER_URN, DEVICE_URN], userName: 'a', [DEVICE_URN]: attributes };
}

describe('RFC 7644 §3.5.1 replacing with PUT', () => {
  it('[RFC7644-3.5-1] replaces users and groups and answers 200 with the whole resource', async () => {
    const scim = await app.connect();
    const { body: alice } = await scim.post('/Users', user({ userName: 'a' }));
    const { body: team } = await scim.post('/Groups', group({ displayName: 'A' }));
    const users = await scim.put(pathOf(alice), user({ userName: 'b', title: 'VP' }));
    const { body: readUser } = await scim.get(pathOf(alice));
    const groups = await scim.put(pathOf(team), group({ displayName: 'B' }, [alice.id]));
    expect([users.status, users.body]).toEqual([200, readUser]);
    expect([groups.status, groups.body]).toEqual([200, (await scim.get(pathOf(team))).body]);
  });

  it('[RFC7644-3.5.1-2] replaces the values that the body has', async () => {
    const scim = await app.connect();
    const emails = [{ value: 'a@example.com' }, { value: 'b@example.com' }];
    const name = { familyName: 'Jensen', givenName: 'Barbara' };
    const { body } = await scim.post('/Users', user({ userName: 'a', active: true, emails, name }));
    const replacement = {
      userName: 'b',
      active: false,
      emails: [{ value: 'c@example.com' }],
      name: { familyName: 'Smith' },
    };
    await scim.put(pathOf(body), user(replacement));
    const { body: after } = await scim.get(pathOf(body));
    expect(after).toMatchObject({ userName: 'b', active: false, name: { familyName: 'Smith' } });
    expect(after.emails).toEqual([{ value: 'c@example.com' }]);
  });

  it('[RFC7644-3.5.1-2] replaces the members of a group', async () => {
    const scim = await app.connect();
    const [{ body: alice }, { body: bob }] = [
      await scim.post('/Users', user({ userName: 'alice' })),
      await scim.post('/Users', user({ userName: 'bob' })),
    ];
    const { body: team } = await scim.post('/Groups', group({ displayName: 'A' }, [alice.id]));
    const { body: after } = await scim.put(pathOf(team), group({ displayName: 'A' }, [bob.id]));
    expect(after.members.map(({ value }: { value: string }) => value)).toEqual([bob.id]);
  });

  it('[RFC7644-3.5.1] keeps writable attributes that the body omits and clears those that it sets to null', async () => {
    const scim = await app.connect();
    const { body } = await scim.post('/Users', user({ userName: 'a', title: 'VP', nickName: 'Al' }));
    const { body: after } = await scim.put(pathOf(body), user({ userName: 'a', nickName: null }));
    expect([after.title, after.nickName]).toEqual(['VP', undefined]);
  });

  it('[RFC7644-3.5.1-3] accepts the value that an immutable attribute has', async () => {
    const scim = await app.connect({ extensions: [DEVICE_EXTENSION] });
    const { body } = await scim.post('/Users', device({ serial: 'X1' }));
    const { status, body: after } = await scim.put(pathOf(body), device({ serial: 'X1' }));
    expect([status, after[DEVICE_URN].serial]).toEqual([200, 'X1']);
  });

  it('[RFC7644-3.5.1-3][RFC7644-3.5.1-4] answers 400 mutability to another value, and keeps the first', async () => {
    const scim = await app.connect({ extensions: [DEVICE_EXTENSION] });
    const { body } = await scim.post('/Users', device({ serial: 'X1' }));
    const replaced = await scim.put(pathOf(body), device({ serial: 'X2' }));
    const { body: after } = await scim.get(pathOf(body));
    expect([rejection(replaced), after[DEVICE_URN].serial]).toEqual(['400 mutability', 'X1']);
  });

  it('[RFC7644-3.5.1-5] sets an immutable attribute that has no value', async () => {
    const scim = await app.connect({ extensions: [DEVICE_EXTENSION] });
    const { body } = await scim.post('/Users', user({ userName: 'a' }));
    const { body: after } = await scim.put(pathOf(body), device({ serial: 'X1' }));
    expect(after[DEVICE_URN].serial).toBe('X1');
  });

  it('[RFC7644-3.5.1-6] ignores the values of read-only attributes', async () => {
    const scim = await app.connect();
    const { body } = await scim.post('/Users', user({ userName: 'a' }));
    const meta = { ...body.meta, created: '2001-01-01T00:00:00Z' };
    const readOnly = { id: 'user:scim:acme:other', meta, groups: [{ value: 'group:scim:acme:g' }] };
    const { status, body: after } = await scim.put(pathOf(body), user({ userName: 'a', ...readOnly }));
    expect([status, after]).toEqual([200, body]);
  });

  it('[RFC7644-3.5.1] answers what GET returned, sent back as it is, with the same resource', async () => {
    const scim = await app.connect();
    const { body: alice } = await scim.post(
      '/Users',
      user({ userName: 'alice', emails: [{ value: 'a@example.com', type: 'work' }] }),
    );
    const { body: team } = await scim.post('/Groups', group({ displayName: 'A' }, [alice.id]));
    const { body: before } = await scim.get(pathOf(alice));
    const users = await scim.put(pathOf(alice), before);
    const groups = await scim.put(pathOf(team), team);
    expect([users.body, groups.body]).toEqual([before, team]);
  });

  it('[RFC7644-3.5.1] rejects a PUT whose userName belongs to another user', async () => {
    const scim = await app.connect();
    await scim.post('/Users', user({ userName: 'a' }));
    const { body } = await scim.post('/Users', user({ userName: 'b' }));
    expect(rejection(await scim.put(pathOf(body), user({ userName: 'A' })))).toBe('409 uniqueness');
  });
});
