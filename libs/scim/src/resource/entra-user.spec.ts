import { describe, expect, it } from '@jest/globals';
import { createResourceSchema } from '../schema/create-resource-schema.js';
import { ENTERPRISE_USER_URN, USER_URN } from '../urns.js';
import { correctEntraUser } from './entra-user.js';

const SCHEMA = createResourceSchema('User');

describe(correctEntraUser.name, () => {
  it('takes the URN that the documentation misspells for the right one, in schemas and as a property', () => {
    const body = {
      schemas: [USER_URN, 'urn:ietf:params:scim:schemas:extension:enterprise:2.0User'],
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0User': { department: 'Sales' },
    };
    expect(correctEntraUser(body, SCHEMA)).toEqual({
      schemas: [USER_URN, ENTERPRISE_USER_URN],
      [ENTERPRISE_USER_URN]: { department: 'Sales' },
    });
  });

  it('moves short names of an extension into it, null as well', () => {
    expect(correctEntraUser({ userName: 'a', Department: 'Sales', manager: null }, SCHEMA)).toEqual({
      userName: 'a',
      [ENTERPRISE_USER_URN]: { department: 'Sales', manager: null },
    });
  });

  it('lets the extension itself win over a short name', () => {
    const body = { department: 'Sales', division: 'X', [ENTERPRISE_USER_URN]: { department: 'Legal' } };
    expect(correctEntraUser(body, SCHEMA)).toEqual({ [ENTERPRISE_USER_URN]: { department: 'Legal', division: 'X' } });
  });

  it.each([['a text'], [null], [['a']]])('leaves %j alone', (body) => {
    expect(correctEntraUser(body, SCHEMA)).toBe(body);
  });

  it('leaves names alone that no schema defines', () => {
    const body = JSON.parse('{"colour":"red","name.familyName":"x","__proto__":{"a":1}}') as object;
    expect(JSON.stringify(correctEntraUser(body, SCHEMA))).toBe(JSON.stringify(body));
  });
});
