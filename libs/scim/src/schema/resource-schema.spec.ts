import { describe, expect, it } from '@jest/globals';
import type { SchemaDefinition } from '@palisade/domain';
import { ENTERPRISE_USER_URN, GROUP_URN, USER_URN } from '../urns.js';
import { defineAttribute } from './define-attribute.js';
import { findSubAttribute, ResourceSchema } from './resource-schema.js';
import { ENTERPRISE_USER_SCHEMA, USER_SCHEMA } from './user.schema.js';

const schema = new ResourceSchema('User', USER_SCHEMA, [{ schema: ENTERPRISE_USER_SCHEMA, required: false }]);

function createSchema(id: string, ...names: string[]): SchemaDefinition {
  return {
    id,
    name: id,
    description: id,
    attributes: names.map((name) => defineAttribute({ name, description: name })),
  };
}

describe(ResourceSchema.name, () => {
  it.each([
    ['userName', ['userName']],
    ['name.givenName', ['name', 'givenName']],
    ['meta.created', ['meta', 'created']],
    [`${USER_URN}:userName`, ['userName']],
    [`${USER_URN}:name.familyName`, ['name', 'familyName']],
    [`${USER_URN}:externalId`, ['externalId']],
    [ENTERPRISE_USER_URN, [ENTERPRISE_USER_URN]],
    [`${ENTERPRISE_USER_URN}:department`, [ENTERPRISE_USER_URN, 'department']],
    ['Department', [ENTERPRISE_USER_URN, 'department']],
    ['manager.value', [ENTERPRISE_USER_URN, 'manager', 'value']],
    [`${ENTERPRISE_USER_URN}:manager.value`, [ENTERPRISE_USER_URN, 'manager', 'value']],
  ])('[RFC7644-3.10] resolves %s', (path, expected) => {
    expect(schema.resolve(path)?.path).toEqual(expected);
  });

  it.each(['USERNAME', 'Name.GIVENname', `${USER_URN.toUpperCase()}:USERNAME`])(
    '[RFC7644-3.10] resolves %s whatever its case',
    (path) => {
      expect(schema.resolve(path)).toBeDefined();
    },
  );

  it.each([
    '',
    'department.x',
    'userName.givenName',
    'name.givenName.x',
    `${GROUP_URN}:displayName`,
    `${ENTERPRISE_USER_URN}.department`,
    '__proto__',
    'constructor',
    'name.__proto__',
    'toString',
  ])('does not resolve %s', (path) => {
    expect(schema.resolve(path)).toBeUndefined();
  });

  it('names the definition of every step', () => {
    const resolved = schema.resolve(`${ENTERPRISE_USER_URN}:manager.value`);

    expect(resolved?.definitions.map(({ name }) => name)).toEqual([ENTERPRISE_USER_URN, 'manager', 'value']);
    expect(resolved?.attribute.name).toBe('value');
  });

  it('[RFC7643-2.1] finds a property of a resource whatever its case', () => {
    expect(schema.findAttribute('USERNAME')?.name).toBe('userName');
    expect(schema.findAttribute(ENTERPRISE_USER_URN.toLowerCase())?.name).toBe(ENTERPRISE_USER_URN);
  });

  it.each(['name.givenName', `${USER_URN}:userName`, USER_URN, '__proto__', 'constructor', 'hasOwnProperty'])(
    'finds no property %s',
    (name) => {
      expect(schema.findAttribute(name)).toBeUndefined();
    },
  );

  it('rejects two extensions with one URN', () => {
    const twice = ['urn:acme:hr', 'URN:ACME:HR'].map((id) => ({ schema: createSchema(id, 'badge'), required: false }));

    expect(() => new ResourceSchema('User', USER_SCHEMA, twice)).toThrow('extensions');
  });

  it('rejects an extension whose URN is the path of an attribute of another', () => {
    const outer = { schema: createSchema('urn:acme', 'hr'), required: false };
    const inner = { schema: createSchema('urn:acme:hr', 'badge'), required: false };

    expect(() => new ResourceSchema('User', USER_SCHEMA, [outer, inner])).toThrow('"urn:acme:hr"');
  });
});

describe(findSubAttribute.name, () => {
  const [attribute = defineAttribute({ name: '', description: '' })] = schema.resolve('name')?.definitions ?? [];

  it('[RFC7643-2.1] finds a sub-attribute whatever its case', () => {
    expect(findSubAttribute(attribute, 'GIVENNAME')?.name).toBe('givenName');
  });

  it.each(['given', '__proto__', 'constructor'])('finds no sub-attribute %s', (name) => {
    expect(findSubAttribute(attribute, name)).toBeUndefined();
  });
});
