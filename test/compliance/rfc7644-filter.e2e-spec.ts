import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ScimApp } from '../support/scim-app.js';
import type { ScimClient } from '../support/scim-client.js';
import { ENTERPRISE_URN, USER_URN, enterpriseUser, user } from '../support/scim-bodies.js';
import { DEVICE_EXTENSION, DEVICE_URN } from './device-extension.js';
import { rejection } from './rejection.js';

const ANN = enterpriseUser(
  {
    userName: 'ann',
    externalId: 'E1',
    title: 'Manager',
    userType: 'Employee',
    active: true,
    name: { familyName: "O'Malley", givenName: 'Ann' },
    emails: [
      { value: 'ann@example.com', type: 'work', primary: true },
      { value: 'ann@home.example.org', type: 'home' },
    ],
  },
  { department: 'Sales' },
);
const BOB = user({
  userName: 'bob',
  userType: 'Intern',
  active: false,
  emails: [{ value: 'bob@home.example.org', type: 'work' }],
});
const CAL = user({ userName: 'cal', title: 'Manager', userType: 'Intern' });

let app: ScimApp;
let scim: ScimClient;
/** Only read: three users of one provider. */
beforeAll(async () => {
  app = await ScimApp.start();
  scim = await app.connect();
  for (const body of [ANN, BOB, CAL]) {
    await scim.post('/Users', body);
  }
});
afterAll(() => app.close());

/** The users that a filter finds, as words; what it is rejected with, if it is. */
async function find(filter: string): Promise<string> {
  const answer = await scim.query('/Users', { filter });
  return answer.status === 200
    ? answer.body.Resources.map(({ userName }: { userName: string }) => userName).join(' ')
    : rejection(answer);
}

describe('RFC 7644 §3.4.2.2 filtering', () => {
  it.each([
    ['userName eq "bob"', 'bob'],
    ['userName ne "bob"', 'ann cal'],
    ['title ne "Manager"', 'bob'],
    ['name.familyName co "O\'Mal"', 'ann'],
    ['userName sw "a"', 'ann'],
    ['userName ew "b"', 'bob'],
    ['title pr', 'ann cal'],
    ['name pr', 'ann'],
    ['emails pr', 'ann bob'],
    ['userName gt "bob"', 'cal'],
    ['userName ge "bob"', 'bob cal'],
    ['userName lt "bob"', 'ann'],
    ['userName le "bob"', 'ann bob'],
    ['active eq true', 'ann cal'],
    ['active eq false', 'bob'],
    ['meta.created gt "2001-01-01T00:00:00Z"', 'ann bob cal'],
    ['meta.lastModified lt "2001-01-01T00:00:00+14:00"', ''],
    ['title eq null', 'bob'],
  ])('[RFC7644-3.4.2.2-1] finds exactly what matches %s', async (filter, found) => {
    expect(await find(filter)).toBe(found);
  });

  it.each([
    ['title pr and userType eq "Employee"', 'ann'],
    ['title pr or userType eq "Intern"', 'ann bob cal'],
    ['userType eq "Employee" and (emails co "example.com" or emails.value co "example.org")', 'ann'],
    ['userType ne "Employee" and not (emails co "example.com" or emails.value co "example.org")', 'cal'],
    ['userType eq "Employee" and (emails.type eq "work")', 'ann'],
    ['userType eq "Employee" and emails[type eq "work" and value co "@example.com"]', 'ann'],
    ['emails[type eq "work" and value co "@example.com"] or ims[type eq "xmpp" and value co "@foo.com"]', 'ann'],
    [`${USER_URN}:userName sw "B"`, 'bob'],
    [`${ENTERPRISE_URN}:department eq "sales"`, 'ann'],
  ])('[RFC7644-3.4.2.2-10] understands the published example %s', async (filter, found) => {
    expect(await find(filter)).toBe(found);
  });

  it('[RFC7644-3.4.2.2] finds resources by the schemas that they use', async () => {
    expect(await find(`schemas eq "${ENTERPRISE_URN}"`)).toBe('ann');
  });

  it.each([
    [''],
    [' '],
    ['()'],
    ['userName'],
    ['userName eq'],
    ['eq "a"'],
    ['"a" eq userName'],
    ['userName eq "a" and'],
  ])('[RFC7644-3.4.2.2-2][RFC7644-3.4.2.2-3] rejects %j, which is no expression', async (filter) => {
    expect(await find(filter)).toBe('400 invalidFilter');
  });

  it.each([
    ['userName eq "a'],
    ["userName eq 'a'"],
    ['userName eq "a" userName eq "b"'],
    ['(userName eq "a"'],
    ['userName eq "a")'],
    ['not userName eq "a"'],
    ['emails[type eq "work"'],
    ['emails[]'],
    ['1name eq "a"'],
    ['userName eq bob'],
    ['userName pr "a"'],
  ])('[RFC7644-3.4.2.2-10] rejects %s, which breaks the grammar', async (filter) => {
    expect(await find(filter)).toBe('400 invalidFilter');
  });

  it.each([['gt'], ['ge'], ['lt'], ['le']])(
    '[RFC7644-3.4.2.2-4][RFC7644-3.4.2.2-5][RFC7644-3.4.2.2-6][RFC7644-3.4.2.2-7] rejects %s on booleans and binaries',
    async (operator) => {
      const filters = [`active ${operator} true`, `x509Certificates.value ${operator} "QUJD"`];
      expect(await Promise.all(filters.map(find))).toEqual(['400 invalidFilter', '400 invalidFilter']);
    },
  );

  it('[RFC7644-3.4.2.2-8] applies the conditions in brackets to one and the same value', async () => {
    const sameValue = await find('emails[type eq "work" and value ew "example.org"]');
    const anyValues = await find('emails.type eq "work" and emails.value ew "example.org"');
    expect([sameValue, anyValues]).toEqual(['bob', 'ann bob']);
  });

  it.each([['emails[userName eq "ann"]'], ['emails[title pr]'], ['userName[value eq "a"]'], ['emails[type eq]']])(
    '[RFC7644-3.4.2.2-9] rejects %s, whose brackets hold no filter on sub-attributes',
    async (filter) => {
      expect(await find(filter)).toBe('400 invalidFilter');
    },
  );

  it.each([
    ['userName eq "ann" or userName eq "bob" and title pr', 'ann'],
    ['title pr and userName eq "bob" or userName eq "cal"', 'cal'],
    ['(userName eq "ann" or userName eq "bob") and title pr', 'ann'],
    ['title pr and (userName eq "bob" or userName eq "cal")', 'cal'],
    ['not (userName eq "ann") and title pr', 'cal'],
    ['not (userName eq "ann" and title pr)', 'bob cal'],
    ['not (userName eq "ann") or title pr', 'ann bob cal'],
  ])('[RFC7644-3.4.2.2-11] evaluates %s in order of precedence', async (filter, found) => {
    expect(await find(filter)).toBe(found);
  });

  it('[RFC7644-3.4.2.2-12] finds by a sub-attribute and rejects a comparison with the complex attribute itself', async () => {
    expect([await find('name.givenName eq "Ann"'), await find('name eq "Ann"')]).toEqual(['ann', '400 invalidFilter']);
  });

  it('[RFC7644-3.4.2.2-13] finds a user by the default that the create returned', async () => {
    const { body } = await scim.query('/Users', { filter: 'userName eq "cal"' });
    expect([body.Resources[0].active, await find('userName eq "cal" and active eq true')]).toEqual([true, 'cal']);
  });

  it('[RFC7644-3.4.2.2-14] rejects an unknown operator by name', async () => {
    const answer = await scim.query('/Users', { filter: 'userName regex "a.*"' });
    expect([rejection(answer), answer.body.detail]).toEqual(['400 invalidFilter', expect.stringContaining('regex')]);
  });

  it('[RFC7644-3.4.2.2] rejects an attribute that no schema defines, by name', async () => {
    const answer = await scim.query('/Users', { filter: 'shoeSize eq 42' });
    expect([rejection(answer), answer.body.detail]).toEqual(['400 invalidFilter', expect.stringContaining('shoeSize')]);
  });

  it.each([
    ['userName eq "ANN"', 'ann'],
    ['emails.type eq "HOME"', 'ann'],
    ['externalId eq "e1"', ''],
    ['externalId eq "E1"', 'ann'],
    ['externalId sw "e"', ''],
    ['id co "USER:SCIM"', ''],
  ])('[RFC7644-3.4.2.2-15] compares case as the attribute of %s demands', async (filter, found) => {
    expect(await find(filter)).toBe(found);
  });

  it.each([
    ['USERNAME Eq "bob"'],
    ['userName EQ "bob"'],
    ['NOT (username NE "bob")'],
    ['emails[TYPE eq "work" AND Value sw "bob"]'],
  ])('[RFC7644-3.4.2.2] reads names and operators of %s without regard to case', async (filter) => {
    expect(await find(filter)).toBe('bob');
  });

  it('[RFC7644-3.4.2.2-1] compares numbers by value and dates as points in time', async () => {
    const other = await app.connect({ extensions: [DEVICE_EXTENSION] });
    const device = { slots: 9, issued: '2020-01-01T00:00:00+02:00' };
    await other.post('/Users', { schemas: [USER_URN, DEVICE_URN], userName: 'a', [DEVICE_URN]: device });
    const filters = [
      'slots lt 10',
      'slots gt 10',
      'issued lt "2019-12-31T23:00:00Z"',
      'issued gt "2019-12-31T23:00:00Z"',
    ];
    const answers = await Promise.all(
      filters.map((filter) => other.query('/Users', { filter: `${DEVICE_URN}:${filter}` })),
    );
    expect(answers.map(({ body }) => body.totalResults)).toEqual([1, 0, 1, 0]);
  });
});
