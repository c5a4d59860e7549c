import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@palisade/domain';
import { ScimApp } from '../support/scim-app.js';
import {
  ENTERPRISE_URN,
  enterpriseUser,
  group,
  patchOp,
  pathOf,
  user,
  type PatchOperation,
} from '../support/scim-bodies.js';
import { rejection } from './rejection.js';

let app: ScimApp;
beforeAll(async () => {
  app = await ScimApp.start();
});
afterAll(() => app.close());

/** Creates a user, applies the operations, and returns the answer with what a GET shows afterwards. */
async function patchUser(attributes: JsonObject, ...operations: readonly PatchOperation[]) {
  const scim = await app.connect();
  const { body: before } = await scim.post('/Users', user({ userName: 'a', ...attributes }));
  const answer = await scim.patch(pathOf(before), patchOp(...operations));
  const { body: after } = await scim.get(pathOf(before));
  return { before, answer, after };
}

const EMAILS = [
  { value: 'a@work', type: 'work' },
  { value: 'a@home', type: 'home' },
];

describe('RFC 7644 §3.5.2.1 add', () => {
  it.each([[{ op: 'add', path: 'title' }], [{ op: 'add' }]])(
    '[RFC7644-3.5.2.1-1] rejects %j, which has no value',
    async (operation) => {
      const { answer } = await patchUser({}, operation);
      expect(rejection(answer)).toMatch(/^400 invalid(Syntax|Value)$/);
    },
  );

  it('[RFC7644-3.5.2.1-2] adds sub-attributes to a complex attribute and rejects a plain value for it', async () => {
    const name = { familyName: 'Jensen' };
    const added = await patchUser({ name }, { op: 'add', path: 'name', value: { givenName: 'Barbara' } });
    const rejected = await patchUser({ name }, { op: 'add', path: 'name', value: 'Barbara Jensen' });
    expect(added.after.name).toEqual({ familyName: 'Jensen', givenName: 'Barbara' });
    expect([rejection(rejected.answer), rejected.after.name]).toEqual(['400 invalidValue', name]);
  });

  it.each<[string, PatchOperation]>([
    ['a single value', { op: 'add', path: 'title', value: 'VP' }],
    ['an element', { op: 'add', path: 'emails', value: [{ type: 'work', value: 'a@work' }] }],
    ['attributes without a path', { op: 'add', value: { title: 'VP', emails: EMAILS } }],
  ])(
    '[RFC7644-3.5.2.1-3][RFC7644-3.5.2.1-4][RFC7644-3.5.2.1-5] changes nothing, the modification time neither, when %s is there already',
    async (_kind, operation) => {
      const { before, answer, after } = await patchUser({ title: 'VP', emails: EMAILS }, operation);
      expect([answer.status, after]).toEqual([200, before]);
    },
  );

  it('[RFC7644-3.5.2.1-3][RFC7644-3.5.2.1-4][RFC7644-3.5.2.1-5] changes nothing when a member is added again', async () => {
    const scim = await app.connect();
    const { body: alice } = await scim.post('/Users', user({ userName: 'alice' }));
    const { body: team } = await scim.post('/Groups', group({ displayName: 'A' }, [alice.id]));
    const patched = await scim.patch(
      pathOf(team),
      patchOp({ op: 'add', path: 'members', value: [{ value: alice.id }] }),
    );
    expect([patched.status, patched.body]).toEqual([200, team]);
  });

  it.each<[string, PatchOperation, JsonObject]>([
    ['an attribute without value', { op: 'add', path: 'nickName', value: 'Al' }, { nickName: 'Al' }],
    ['a single value, which it replaces', { op: 'add', path: 'title', value: 'CEO' }, { title: 'CEO' }],
    [
      'the resource when there is no path',
      { op: 'add', value: { nickName: 'Al', title: 'CEO' } },
      { nickName: 'Al', title: 'CEO' },
    ],
    ['a list', { op: 'add', path: 'emails', value: [{ value: 'b@x' }] }, { emails: [...EMAILS, { value: 'b@x' }] }],
  ])('[RFC7644-3.5.2.1] adds to %s', async (_target, operation, expected) => {
    const { after } = await patchUser({ title: 'VP', emails: EMAILS }, operation);
    expect(after).toMatchObject(expected);
  });
});

describe('RFC 7644 §3.5.2.2 remove', () => {
  it('[RFC7644-3.5.2.2-1] unassigns a single-valued attribute', async () => {
    const { after } = await patchUser({ title: 'VP', nickName: 'Al' }, { op: 'remove', path: 'title' });
    expect(['title' in after, after.nickName]).toEqual([false, 'Al']);
  });

  it('[RFC7644-3.5.2.2-2] unassigns a multi-valued attribute', async () => {
    const { after } = await patchUser({ emails: EMAILS }, { op: 'remove', path: 'emails' });
    expect('emails' in after).toBe(false);
  });

  it('[RFC7644-3.5.2.2-2] removes all members of a group', async () => {
    const scim = await app.connect();
    const { body: alice } = await scim.post('/Users', user({ userName: 'alice' }));
    const { body: team } = await scim.post('/Groups', group({ displayName: 'A' }, [alice.id]));
    const { body } = await scim.patch(pathOf(team), patchOp({ op: 'remove', path: 'members' }));
    expect([body.displayName, body.members ?? []]).toEqual(['A', []]);
  });

  it('[RFC7644-3.5.2.2-3] removes the values that a filter on value matches, and unassigns the attribute with the last one', async () => {
    const first = { op: 'remove', path: 'emails[value eq "a@work"]' };
    const last = { op: 'remove', path: 'emails[value sw "a@"]' };
    const one = await patchUser({ emails: EMAILS }, first);
    const all = await patchUser({ emails: EMAILS }, first, last);
    expect([one.after.emails, 'emails' in all.after]).toEqual([[EMAILS[1]], false]);
  });

  it('[RFC7644-3.5.2.2-3] removes the one member that a filter names', async () => {
    const scim = await app.connect();
    const { body: alice } = await scim.post('/Users', user({ userName: 'alice' }));
    const { body: bob } = await scim.post('/Users', user({ userName: 'bob' }));
    const { body: team } = await scim.post('/Groups', group({ displayName: 'A' }, [alice.id, bob.id]));
    const { body } = await scim.patch(pathOf(team), patchOp({ op: 'remove', path: `members[value eq "${alice.id}"]` }));
    expect(body.members.map(({ value }: { value: string }) => value)).toEqual([bob.id]);
  });

  it('[RFC7644-3.5.2.2-4] unassigns the sub-attribute named, in the elements that match', async () => {
    const name = { familyName: 'Jensen', givenName: 'Barbara' };
    const { after } = await patchUser(
      { name, emails: EMAILS },
      { op: 'remove', path: 'name.givenName' },
      { op: 'remove', path: 'emails[value eq "a@work"].type' },
    );
    expect([after.name, after.emails]).toEqual([{ familyName: 'Jensen' }, [{ value: 'a@work' }, EMAILS[1]]]);
  });

  it('[RFC7644-3.5.2.2-5] unassigns a complex attribute with the last element that a filter removes', async () => {
    const path = 'emails[type eq "work" and value ew "work"]';
    const { after } = await patchUser({ emails: [EMAILS[0] ?? {}] }, { op: 'remove', path });
    expect('emails' in after).toBe(false);
  });

  it.each([['userName'], ['id'], ['meta'], ['groups']])('[RFC7644-3.5.2.2-6] refuses to remove %s', async (path) => {
    const { before, answer, after } = await patchUser({}, { op: 'remove', path });
    expect([rejection(answer), after]).toEqual(['400 mutability', before]);
  });

  it('[RFC7644-3.5.2.2-6] refuses to remove the name of a group', async () => {
    const scim = await app.connect();
    const { body } = await scim.post('/Groups', group({ displayName: 'A' }));
    expect(rejection(await scim.patch(pathOf(body), patchOp({ op: 'remove', path: 'displayName' })))).toBe(
      '400 mutability',
    );
  });
});

describe('RFC 7644 §3.5.2.3 replace', () => {
  it('[RFC7644-3.5.2.3-1] replaces the attributes in the value when there is no path', async () => {
    const value = { title: 'CEO', emails: [{ value: 'b@x' }] };
    const { after } = await patchUser({ title: 'VP', nickName: 'Al', emails: EMAILS }, { op: 'replace', value });
    expect([after.title, after.nickName, after.emails]).toEqual(['CEO', 'Al', [{ value: 'b@x' }]]);
  });

  it.each([['text'], [7], [null], [[]]])(
    '[RFC7644-3.5.2.3-1] rejects %j as the value of a replace without a path',
    async (value) => {
      const { before, answer, after } = await patchUser({}, { op: 'replace', value });
      expect([rejection(answer), after]).toEqual([expect.stringMatching(/^400 invalid(Syntax|Value)$/), before]);
    },
  );

  it('[RFC7644-3.5.2.3-2] adds an attribute that has no value', async () => {
    const { answer, after } = await patchUser(
      {},
      { op: 'replace', path: 'title', value: 'VP' },
      { op: 'replace', path: 'emails', value: EMAILS },
      { op: 'replace', path: `${ENTERPRISE_URN}:department`, value: 'Sales' },
    );
    expect([answer.status, after.title, after.emails, after[ENTERPRISE_URN]]).toEqual([
      200,
      'VP',
      EMAILS,
      { department: 'Sales' },
    ]);
  });

  it('[RFC7644-3.5.2.3-3] leaves the sub-attributes that the value does not name', async () => {
    const name = { familyName: 'Jensen', givenName: 'Barbara' };
    const value = { givenName: 'Babs', middleName: 'Jane' };
    const { after } = await patchUser({ name }, { op: 'replace', path: 'name', value });
    expect(after.name).toEqual({ familyName: 'Jensen', givenName: 'Babs', middleName: 'Jane' });
  });

  it('[RFC7644-3.5.2.3-3] rejects a plain value for a complex attribute', async () => {
    const { answer } = await patchUser({}, { op: 'replace', path: 'name', value: 'Barbara Jensen' });
    expect(rejection(answer)).toBe('400 invalidValue');
  });

  it('[RFC7644-3.5.2.3-4] replaces every element that the filter matches', async () => {
    const addresses: JsonObject[] = [
      { type: 'work', locality: 'Oslo', country: 'NO' },
      { type: 'work', locality: 'Bergen' },
      { type: 'home', locality: 'Turku' },
    ];
    const value = { type: 'work', locality: 'Hollywood' };
    const { after } = await patchUser({ addresses }, { op: 'replace', path: 'addresses[type eq "work"]', value });
    const localities = after.addresses.map(({ type, locality }: JsonObject) => `${String(type)} ${String(locality)}`);
    expect(new Set(localities)).toEqual(new Set(['work Hollywood', 'home Turku']));
  });

  it('[RFC7644-3.5.2.3] replaces one sub-attribute of every element that the filter matches', async () => {
    const emails = [...EMAILS, { value: 'b@work', type: 'work' }];
    const { after } = await patchUser(
      { emails },
      { op: 'replace', path: 'emails[type eq "work"].type', value: 'other' },
    );
    expect(after.emails.map(({ type }: JsonObject) => type)).toEqual(['other', 'home', 'other']);
  });

  it.each<[PatchOperation]>([
    [{ op: 'replace', path: 'emails[type eq "fax"]', value: { value: 'b@x' } }],
    [{ op: 'replace', path: 'emails[type eq "fax"].value', value: 'b@x' }],
    [{ op: 'replace', path: 'phoneNumbers[type eq "work"].value', value: '1' }],
  ])('[RFC7644-3.5.2.3-5] answers 400 noTarget to %j, whose filter matches nothing', async (operation) => {
    const { before, answer, after } = await patchUser({ emails: EMAILS }, operation);
    expect([rejection(answer), after]).toEqual(['400 noTarget', before]);
  });

  it('[RFC7644-3.5.2.3] replaces all members of a group', async () => {
    const scim = await app.connect();
    const { body: alice } = await scim.post('/Users', user({ userName: 'alice' }));
    const { body: bob } = await scim.post('/Users', enterpriseUser({ userName: 'bob' }, { department: 'Sales' }));
    const { body: team } = await scim.post('/Groups', group({ displayName: 'A' }, [alice.id]));
    const { body } = await scim.patch(
      pathOf(team),
      patchOp({ op: 'replace', path: 'members', value: [{ value: bob.id }] }),
    );
    expect(body.members.map(({ value }: { value: string }) => value)).toEqual([bob.id]);
  });
});
