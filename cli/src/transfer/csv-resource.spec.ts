import { describe, expect, it } from '@jest/globals';
import { fromCsv, readHeader, toCsv } from './csv-resource.js';
import { RESOURCE_KINDS } from './resource-kind.js';

const { users, groups } = RESOURCE_KINDS;
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

describe(readHeader.name, () => {
  it.each([
    [['externalId', 'userName', '__proto__'], 'the file must begin with names of columns'],
    [undefined, 'the file must begin with names of columns'],
    [['externalId', 'userName', 'userName'], 'the file names a column twice'],
    [['userName'], 'the file has no column externalId'],
  ])('refuses %j', (fields, message) => {
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

  it('says what active may be', () => {
    expect(fromCsv(users, ['active'], ['yes'])).toBe('active: expected true or false, found "yes"');
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

  it('puts the primary address first', () => {
    const user = { emails: [{ value: 'b@example.com' }, { value: 'a@example.com', primary: true }] };
    expect(toCsv(users, user)).toContain('a@example.com;b@example.com');
  });
});
