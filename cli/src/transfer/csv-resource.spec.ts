import { describe, expect, it } from '@jest/globals';
import { fromCsv, readHeader, toCsv } from './csv-resource.js';
import { RESOURCE_KINDS } from './resource-kind.js';

const { users, groups } = RESOURCE_KINDS;
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

describe(readHeader.name, () => {
  it.each([
    [['externalId', 'userName', '__proto__'], 'expected column names'],
    [undefined, 'expected column names'],
    [['externalId', 'userName', 'userName'], 'the file names a column twice'],
    [['userName'], 'the file has no column externalId'],
  ])('rejects %j', (fields, message) => {
    expect(() => readHeader(users, fields)).toThrow(message);
  });
});

describe(fromCsv.name, () => {
  it('puts fields where SCIM has them', () => {
    const header = ['externalId', 'givenName', 'familyName', 'emails', 'active', 'department', 'title'];
    const fields = ['7', 'Ann', 'Lee', 'a@example.com;b@example.com', 'FALSE', 'Sales', ''];
    expect(fromCsv(users, header, fields)).toEqual({
      externalId: '7',
      name: { givenName: 'Ann', familyName: 'Lee' },
      emails: [{ value: 'a@example.com', primary: true }, { value: 'b@example.com' }],
      active: false,
      [ENTERPRISE]: { department: 'Sales' },
    });
  });

  it('says that a record has too few fields', () => {
    expect(fromCsv(users, ['externalId', 'userName'], ['7'])).toBe('expected 2 fields, found 1');
  });

  it.each(['yes', 'constructor', '__proto__'])('says that active may not be %j', (text) => {
    expect(fromCsv(users, ['active'], [text])).toBe(`active: expected true or false, found "${text}"`);
  });
});

describe(toCsv.name, () => {
  it('writes what is read as the same resource', () => {
    const group = {
      externalId: 'g',
      displayName: 'G',
      members: [{ value: 'user:scim:p:1' }, { value: 'user:scim:p:2' }],
    };
    expect(fromCsv(groups, Object.keys(groups.columns), toCsv(groups, group))).toEqual(group);
  });

  it('keeps formulas from spreadsheets, and reads them as they were', () => {
    const user = {
      externalId: '=cmd()',
      userName: '@ann',
      title: "'-1",
      emails: [{ value: '+a@example.com', primary: true }],
    };
    const printed = toCsv(users, user);
    expect(printed.slice(0, 2)).toEqual(["'=cmd()", "'@ann"]);
    expect(fromCsv(users, Object.keys(users.columns), printed)).toEqual(user);
  });

  it('rejects to print a list in which a value cannot be told from two', () => {
    expect(() => toCsv(groups, { members: [{ value: 'user:scim:p:a;b' }] })).toThrow('use NDJSON');
  });

  it('puts the primary address first', () => {
    const user = { emails: [{ value: 'b@example.com' }, { value: 'a@example.com', primary: true }] };
    expect(toCsv(users, user)).toContain('a@example.com;b@example.com');
  });
});
