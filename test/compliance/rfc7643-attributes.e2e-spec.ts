import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@palisade/domain';
import { ScimApp } from '../support/scim-app.js';
import { USER_URN, enterpriseUser, group, patchOp, pathOf, user, ENTERPRISE_URN } from '../support/scim-bodies.js';
import { DEVICE_EXTENSION, DEVICE_URN } from './device-extension.js';
import { rejection } from './rejection.js';

const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

let app: ScimApp;
beforeAll(async () => {
  app = await ScimApp.start();
});
afterAll(() => app.close());

function device(attributes: Record<string, string | number | boolean>) {
  return { schemas: [USER_URN, DEVICE_URN], userName: 'bjensen', [DEVICE_URN]: attributes };
}

describe('RFC 7643 §2 attributes', () => {
  it('[RFC7643-2.1] matches attribute names without regard to case and returns the canonical ones', async () => {
    const scim = await app.connect();
    const { body } = await scim.post('/Users', user({ USERNAME: 'bjensen', Name: { FAMILYname: 'Jensen' } }));
    expect([body.userName, body.name]).toEqual(['bjensen', { familyName: 'Jensen' }]);
  });

  it.each([
    ['a fraction', 1.5],
    ['a text', '1'],
    ['a boolean', true],
  ])('[RFC7643-2.3.4-1] rejects %s for an integer', async (_kind, slots) => {
    const scim = await app.connect({ extensions: [DEVICE_EXTENSION] });
    expect(rejection(await scim.post('/Users', device({ slots })))).toBe('400 invalidValue');
  });

  it('[RFC7643-2.3.4-1] returns an integer without fraction or exponent', async () => {
    const scim = await app.connect({ extensions: [DEVICE_EXTENSION] });
    const { text } = await scim.post('/Users', device({ slots: 1_000_000_000_000 }));
    expect(text).toMatch(/"slots":1000000000000[,}]/);
  });

  it('[RFC7643-2.3.3] keeps the fraction of a decimal', async () => {
    const scim = await app.connect({ extensions: [DEVICE_EXTENSION] });
    const { body } = await scim.post('/Users', device({ weight: 1.25 }));
    expect(body[DEVICE_URN]).toEqual({ weight: 1.25 });
  });

  it.each([['yesterday'], ['2008-13-23T04:56:22Z'], ['2008-01-23T25:56:22Z'], ['1201064182']])(
    '[RFC7643-2.3.5-1][RFC7643-2.3.5-3] rejects %s for a dateTime',
    async (issued) => {
      const scim = await app.connect({ extensions: [DEVICE_EXTENSION] });
      expect(rejection(await scim.post('/Users', device({ issued })))).toBe('400 invalidValue');
    },
  );

  it.each([['2008-01-23'], ['04:56:22Z']])(
    '[RFC7643-2.3.5-2] rejects %s, which lacks the date or the time',
    async (issued) => {
      const scim = await app.connect({ extensions: [DEVICE_EXTENSION] });
      expect(rejection(await scim.post('/Users', device({ issued })))).toBe('400 invalidValue');
    },
  );

  it('[RFC7643-2.3.5-1] accepts a dateTime with a zone offset and compares it as a point in time', async () => {
    const scim = await app.connect({ extensions: [DEVICE_EXTENSION] });
    await scim.post('/Users', device({ issued: '2008-01-23T06:56:22+02:00' }));
    const { body } = await scim.query('/Users', { filter: `${DEVICE_URN}:issued eq "2008-01-23T04:56:22Z"` });
    expect(body.totalResults).toBe(1);
  });

  it('[RFC7643-2.3.5-1][RFC7643-2.3.5-2] states its own dates with date, time and zone', async () => {
    const scim = await app.connect();
    const { body } = await scim.post('/Users', user({ userName: 'bjensen' }));
    expect([body.meta.created, body.meta.lastModified]).toEqual([
      expect.stringMatching(DATE_TIME),
      expect.stringMatching(DATE_TIME),
    ]);
  });

  it.each([['not base64!'], ['QUJD*'], ['A']])('[RFC7643-2.3.6-1] rejects %s for a binary attribute', async (key) => {
    const scim = await app.connect({ extensions: [DEVICE_EXTENSION] });
    expect(rejection(await scim.post('/Users', device({ key })))).toBe('400 invalidValue');
  });

  it('[RFC7643-2.3.6-1] accepts base64 with and without padding', async () => {
    const scim = await app.connect({ extensions: [DEVICE_EXTENSION] });
    const padded = await scim.post('/Users', device({ key: 'QUI=' }));
    const bare = await scim.patch(
      pathOf(padded.body),
      patchOp({ op: 'replace', path: `${DEVICE_URN}:key`, value: 'QUJD' }),
    );
    expect([padded.status, bare.status]).toEqual([201, 200]);
  });

  it.each([['http://[::1'], ['two words'], ['%zz']])('[RFC7643-2.3.7-1] rejects %s for a reference', async (manual) => {
    const scim = await app.connect({ extensions: [DEVICE_EXTENSION] });
    expect(rejection(await scim.post('/Users', device({ manual })))).toBe('400 invalidValue');
  });

  it('[RFC7643-2.3.7-1][RFC7643-2.3.7-3][RFC7643-2.3.7-4] gives references that lead to the resource they name', async () => {
    const scim = await app.connect();
    const { body: alice } = await scim.post('/Users', user({ userName: 'alice', externalId: 'a/b ü:1' }));
    const { body: team } = await scim.post('/Groups', group({ displayName: 'Team' }, [alice.id]));
    const member = await scim.follow(team.members[0].$ref);
    const membership = await scim.follow((await scim.get(pathOf(alice))).body.groups[0].$ref);
    expect([member.body.id, membership.body.id]).toEqual([alice.id, team.id]);
  });

  it('[RFC7643-2.3.7-4] answers 404 at the reference of a resource that is gone', async () => {
    const scim = await app.connect();
    const { body } = await scim.post('/Users', user({ userName: 'alice' }));
    await scim.delete(pathOf(body));
    expect(rejection(await scim.follow(body.meta.location))).toBe('404');
  });

  it('[RFC7643-2.3.8-1] understands a resource whatever the order of its attributes', async () => {
    const scim = await app.connect();
    const name = { givenName: 'Barbara', familyName: 'Jensen' };
    const { body: first } = await scim.post('/Users', { schemas: [USER_URN], userName: 'a', name });
    const { body: second } = await scim.post('/Users', {
      name: { familyName: 'Jensen', givenName: 'Barbara' },
      userName: 'b',
      schemas: [USER_URN],
    });
    expect(second.name).toEqual(first.name);
  });

  it('[RFC7643-2.3.8-1] sees no change in a PATCH that only reorders sub-attributes', async () => {
    const scim = await app.connect();
    const name = { givenName: 'Barbara', familyName: 'Jensen' };
    const { body } = await scim.post('/Users', user({ userName: 'a', name }));
    const reordered = { familyName: 'Jensen', givenName: 'Barbara' };
    const { body: after } = await scim.patch(pathOf(body), patchOp({ op: 'replace', path: 'name', value: reordered }));
    expect(after.meta.version).toBe(body.meta.version);
  });
});

describe('RFC 7643 §2.4 multi-valued attributes', () => {
  it('[RFC7643-2.4-1] lets filters and paths name the sub-attributes of elements', async () => {
    const scim = await app.connect();
    await scim.post('/Users', user({ userName: 'a', emails: [{ value: 'a@example.com', type: 'work' }] }));
    const { body } = await scim.query('/Users', { filter: 'emails.type eq "work"', attributes: 'emails.value' });
    expect(body.Resources[0].emails).toEqual([{ value: 'a@example.com' }]);
  });

  it('[RFC7643-2.4-1] rejects an element that is no object for a complex attribute', async () => {
    const scim = await app.connect();
    expect(rejection(await scim.post('/Users', user({ userName: 'a', emails: [7] })))).toBe('400 invalidValue');
  });

  it('[RFC7643-2.4-3] does not store two primary values', async () => {
    const scim = await app.connect();
    const emails = [
      { value: 'a@example.com', primary: true },
      { value: 'b@example.com', primary: true },
    ];
    expect(rejection(await scim.post('/Users', user({ userName: 'a', emails })))).toBe('400 invalidValue');
  });

  it('[RFC7643-2.4-4] counts an element without primary as not primary', async () => {
    const scim = await app.connect();
    const emails: JsonObject[] = [{ value: 'a@example.com', primary: true }, { value: 'b@example.com' }];
    await scim.post('/Users', user({ userName: 'a', emails }));
    const { body } = await scim.query('/Users', { filter: 'emails[value eq "b@example.com" and primary eq false]' });
    expect(body.totalResults).toBe(1);
  });

  it('[RFC7643-2.4-7] returns one of several elements with the same type and value', async () => {
    const scim = await app.connect();
    const email = { value: 'a@example.com', type: 'work' };
    const { body } = await scim.post(
      '/Users',
      user({ userName: 'a', emails: [email, { ...email, type: 'home' }, email] }),
    );
    expect(body.emails).toEqual([email, { ...email, type: 'home' }]);
  });
});

describe('RFC 7643 §2.5 unassigned and null values', () => {
  it('[RFC7643-2.5-1] treats null, an empty array and absence alike in a create', async () => {
    const scim = await app.connect();
    const { body } = await scim.post('/Users', user({ userName: 'a', nickName: null, emails: [], name: null }));
    expect([body.userName, body.nickName, body.emails, body.name]).toEqual(['a', undefined, undefined, undefined]);
  });

  it('[RFC7643-2.5-1] unassigns what PUT and PATCH set to null or to an empty array', async () => {
    const scim = await app.connect();
    const emails = [{ value: 'a@example.com' }];
    const { body } = await scim.post('/Users', user({ userName: 'a', nickName: 'Al', title: 'Boss', emails }));
    await scim.put(pathOf(body), user({ userName: 'a', nickName: null, emails: [] }));
    await scim.patch(pathOf(body), patchOp({ op: 'replace', path: 'title', value: null }));
    const { body: after } = await scim.get(pathOf(body));
    expect([after.nickName, after.emails, after.title]).toEqual([undefined, undefined, undefined]);
  });

  it('[RFC7643-2.5-1] finds no value in an attribute that was set to null or to an empty array', async () => {
    const scim = await app.connect();
    await scim.post('/Users', user({ userName: 'a', nickName: null, emails: [] }));
    const { body } = await scim.query('/Users', { filter: 'nickName pr or emails pr' });
    expect(body.totalResults).toBe(0);
  });

  it('[RFC7643-2.5-1] drops an extension whose attributes are all null', async () => {
    const scim = await app.connect();
    const { body } = await scim.post('/Users', enterpriseUser({ userName: 'a' }, { department: null }));
    expect(body[ENTERPRISE_URN]).toBeUndefined();
  });
});
