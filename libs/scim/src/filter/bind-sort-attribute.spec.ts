import { describe, expect, it } from '@jest/globals';
import { ScimError } from '../scim.errors.js';
import { defineAttribute } from '../schema/define-attribute.js';
import { ResourceSchema } from '../schema/resource-schema.js';
import { bindSortAttribute } from './bind-sort-attribute.js';

const ENTERPRISE_URN = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

const SCHEMA = new ResourceSchema(
  'User',
  {
    id: 'urn:ietf:params:scim:schemas:core:2.0:User',
    name: 'User',
    description: '',
    attributes: [
      defineAttribute({ name: 'userName', description: '' }),
      defineAttribute({ name: 'password', description: '', returned: 'never' }),
      defineAttribute({
        name: 'name',
        description: '',
        type: 'complex',
        subAttributes: [defineAttribute({ name: 'givenName', description: '' })],
      }),
      defineAttribute({
        name: 'emails',
        description: '',
        type: 'complex',
        multiValued: true,
        subAttributes: [defineAttribute({ name: 'value', description: '' })],
      }),
    ],
  },
  [
    {
      required: false,
      schema: {
        id: ENTERPRISE_URN,
        name: 'EnterpriseUser',
        description: '',
        attributes: [defineAttribute({ name: 'department', description: '' })],
      },
    },
  ],
);

describe(bindSortAttribute.name, () => {
  it.each([
    ['username', { path: ['userName'], type: 'string', multiValued: false }],
    ['name.givenName', { path: ['name', 'givenName'], type: 'string', multiValued: false }],
    ['meta.lastModified', { path: ['meta', 'lastModified'], type: 'dateTime', multiValued: false }],
    ['emails', { path: ['emails', 'value'], type: 'string', multiValued: true }],
    [`${ENTERPRISE_URN}:department`, { path: [ENTERPRISE_URN, 'department'], type: 'string', multiValued: false }],
  ])('[RFC7644-3.4.2.3] resolves %s', (path, reference) => {
    expect(bindSortAttribute(path, SCHEMA)).toEqual(reference);
  });

  it.each([
    ['unknown', 'sortBy: "unknown": expected an attribute of User'],
    ['', 'sortBy: "": expected an attribute of User'],
    ['__proto__', 'sortBy: "__proto__": expected an attribute of User'],
    ['name', 'sortBy: "name": expected one of its sub-attributes'],
    ['meta.version', 'sortBy: "meta.version": this attribute is derived and cannot be searched by'],
  ])('[RFC7644-3.4.2.3] rejects %j with invalidValue', (path, detail) => {
    expect(() => bindSortAttribute(path, SCHEMA)).toThrow(new ScimError(400, 'invalidValue', detail));
  });

  it('[RFC7644-7.5.2] refuses to sort by what is never returned', () => {
    expect(() => bindSortAttribute('password', SCHEMA)).toThrow(
      expect.objectContaining({ status: 403, scimType: 'sensitive' }),
    );
  });
});
