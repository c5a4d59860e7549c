import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@palisade/domain';
import { ScimApp } from '../support/scim-app.js';
import { USER_URN, user } from '../support/scim-bodies.js';
import { DEVICE_EXTENSION, DEVICE_URN } from './device-extension.js';
import { rejection } from './rejection.js';

let app: ScimApp;
beforeAll(async () => {
  app = await ScimApp.start();
});
afterAll(() => app.close());

/** The names of the users, created in the order given, as a query returns them. */
async function sorted(users: readonly JsonObject[], query: Record<string, string>): Promise<string[]> {
  const scim = await app.connect({ extensions: [DEVICE_EXTENSION] });
  for (const attributes of users) {
    await scim.post('/Users', { ...user(attributes), schemas: [USER_URN, DEVICE_URN] });
  }
  const { body } = await scim.query('/Users', query);
  return body.Resources.map(({ userName }: { userName: string }) => userName);
}

describe('RFC 7644 §3.4.2.3 sorting', () => {
  it.each([
    ['ascending', ['b', 'c', 'a']],
    ['descending', ['a', 'c', 'b']],
  ])('[RFC7644-3.4.2.3-1] sorts by the attribute named, %s', async (sortOrder, expected) => {
    const users = [
      { userName: 'a', title: 'z' },
      { userName: 'b', title: 'x' },
      { userName: 'c', title: 'y' },
    ];
    expect(await sorted(users, { sortBy: 'title', sortOrder })).toEqual(expected);
  });

  it('[RFC7644-3.4.2.3-1] sorts by a sub-attribute', async () => {
    const users = [
      { userName: 'a', name: { givenName: 'Zoe' } },
      { userName: 'b', name: { givenName: 'Amy' } },
    ];
    expect(await sorted(users, { sortBy: 'name.givenName' })).toEqual(['b', 'a']);
  });

  it('[RFC7644-3.4.2.3-2] sorts in ascending order unless told otherwise', async () => {
    expect(await sorted([{ userName: 'c' }, { userName: 'a' }, { userName: 'b' }], { sortBy: 'userName' })).toEqual([
      'a',
      'b',
      'c',
    ]);
  });

  it('[RFC7644-3.4.2.3-3] sorts without regard to case, and by case where the attribute is case-exact', async () => {
    const users = [
      { userName: 'b', externalId: 'b' },
      { userName: 'A', externalId: 'a' },
      { userName: 'C', externalId: 'C' },
    ];
    const byName = await sorted(users, { sortBy: 'userName' });
    const byExternalId = await sorted(users, { sortBy: 'externalId' });
    expect([byName, byExternalId]).toEqual([
      ['A', 'b', 'C'],
      ['C', 'A', 'b'],
    ]);
  });

  it('[RFC7644-3.4.2.3-3] sorts numbers by value and dates as points in time', async () => {
    const users = [
      { userName: 'a', [DEVICE_URN]: { slots: 10, issued: '2020-01-01T01:00:00+03:00' } },
      { userName: 'b', [DEVICE_URN]: { slots: 9, issued: '2020-01-01T00:00:00Z' } },
    ];
    const byNumber = await sorted(users, { sortBy: `${DEVICE_URN}:slots` });
    const byDate = await sorted(users, { sortBy: `${DEVICE_URN}:issued` });
    expect([byNumber, byDate]).toEqual([
      ['b', 'a'],
      ['a', 'b'],
    ]);
  });

  it.each([
    ['ascending', ['b', 'a', 'none']],
    ['descending', ['none', 'a', 'b']],
  ])(
    '[RFC7644-3.4.2.3] puts resources without a value last when ascending, first when descending: %s',
    async (sortOrder, expected) => {
      const users: JsonObject[] = [{ userName: 'none' }, { userName: 'a', title: 'y' }, { userName: 'b', title: 'x' }];
      expect(await sorted(users, { sortBy: 'title', sortOrder })).toEqual(expected);
    },
  );

  it('[RFC7644-3.4.2.3] sorts by the primary value of a multi-valued attribute, else by its first', async () => {
    const users: JsonObject[] = [
      { userName: 'a', emails: [{ value: 'a@x' }, { value: 'z@x', primary: true }] },
      { userName: 'b', emails: [{ value: 'm@x' }, { value: 'b@x' }] },
    ];
    expect(await sorted(users, { sortBy: 'emails.value' })).toEqual(['b', 'a']);
  });

  it.each([
    ['sortBy', 'shoeSize'],
    ['sortOrder', 'sideways'],
  ])('[RFC7644-3.4.2.3] rejects a %s of %s', async (parameter, value) => {
    const scim = await app.connect();
    const answer = await scim.query('/Users', { sortBy: 'userName', [parameter]: value });
    expect(rejection(answer)).toMatch(/^400 invalid(Path|Value|Filter)$/);
  });
});
