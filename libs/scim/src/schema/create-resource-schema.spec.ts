import { describe, expect, it } from '@jest/globals';
import type { AttributeDefinition, SchemaExtension } from '@palisade/domain';
import { ENTERPRISE_USER_URN, GROUP_URN, USER_URN } from '../urns.js';
import { createResourceSchema } from './create-resource-schema.js';
import { defineAttribute } from './define-attribute.js';

const user = createResourceSchema('User');
const group = createResourceSchema('Group');

function createExtension(overrides: Partial<SchemaExtension> = {}): SchemaExtension {
  const attributes = [defineAttribute({ name: 'badge', description: 'Badge number.' })];
  return {
    resourceType: 'User',
    required: false,
    schema: { id: 'urn:acme:hr', name: 'HR', description: 'HR data.', attributes },
    ...overrides,
  };
}

function characteristics(path: string, schema = user): Partial<AttributeDefinition> {
  return schema.resolve(path)?.attribute ?? {};
}

describe(createResourceSchema.name, () => {
  it('[RFC7643-4.3] gives users the enterprise extension', () => {
    expect(user.schemas.map(({ id }) => id)).toEqual([USER_URN, ENTERPRISE_USER_URN]);
  });

  it('[RFC7643-4.2] gives groups their core schema only', () => {
    expect(group.schemas.map(({ id }) => id)).toEqual([GROUP_URN]);
  });

  it('returns one and the same schema while there are no extensions', () => {
    expect(createResourceSchema('User', [])).toBe(user);
  });

  it('[RFC7643-3.3] adds the extensions of the resource type', () => {
    const extensions = [createExtension(), createExtension({ resourceType: 'Group' })];

    expect(createResourceSchema('User', extensions).resolve('urn:acme:hr:badge')?.path).toEqual([
      'urn:acme:hr',
      'badge',
    ]);
    expect(createResourceSchema('User', extensions).schemas).toHaveLength(3);
    expect(createResourceSchema('Group', extensions).schemas).toHaveLength(2);
  });

  it('carries the required flag of an extension', () => {
    const schema = createResourceSchema('User', [createExtension({ required: true })]);

    expect(schema.findExtension('urn:acme:hr')?.required).toBe(true);
    expect(schema.findExtension(ENTERPRISE_USER_URN)?.required).toBe(false);
  });
});

describe('USER_SCHEMA', () => {
  it('[RFC7643-4.1.1] requires a userName, unique and case insensitive', () => {
    expect(characteristics('userName')).toMatchObject({ required: true, caseExact: false, uniqueness: 'server' });
  });

  it('[RFC7643-4.1.1] takes a password and never returns it', () => {
    expect(characteristics('password')).toMatchObject({ mutability: 'writeOnly', returned: 'never' });
  });

  it.each(['groups', 'groups.value', 'groups.$ref', 'groups.display', 'groups.type'])(
    '[RFC7643-4.1.2] makes %s readOnly',
    (path) => {
      expect(characteristics(path).mutability).toBe('readOnly');
    },
  );

  it.each([
    ['emails', ['work', 'home', 'other']],
    ['phoneNumbers', ['work', 'home', 'mobile', 'fax', 'pager', 'other']],
    ['ims', ['aim', 'gtalk', 'icq', 'xmpp', 'msn', 'skype', 'qq', 'yahoo', 'other']],
    ['photos', ['photo', 'thumbnail']],
    ['addresses', ['work', 'home', 'other']],
    ['groups', ['direct', 'indirect']],
    ['entitlements', undefined],
    ['roles', undefined],
    ['x509Certificates', undefined],
  ])('[RFC7643-4.1.2] makes %s a list with the canonical types %j', (name, types) => {
    expect(characteristics(name)).toMatchObject({ type: 'complex', multiValued: true });
    expect(characteristics(`${name}.type`).canonicalValues).toEqual(types);
  });

  it('[RFC7643-4.1.2] holds certificates as binary', () => {
    expect(characteristics('x509Certificates.value')).toMatchObject({ type: 'binary', caseExact: true });
  });

  it('[RFC7643-2.4] gives every list that clients write a primary value', () => {
    const lists = user.core.attributes.filter((attribute) => attribute.multiValued && attribute.name !== 'groups');

    expect(lists.map(({ name }) => characteristics(`${name}.primary`).type)).toEqual(lists.map(() => 'boolean'));
  });

  it('[RFC7643-4.1.1] defines every singular attribute', () => {
    const singular = user.core.attributes.filter(({ multiValued }) => !multiValued).map(({ name }) => name);

    expect(singular).toEqual([
      'userName',
      'name',
      'displayName',
      'nickName',
      'profileUrl',
      'title',
      'userType',
      'preferredLanguage',
      'locale',
      'timezone',
      'active',
      'password',
    ]);
  });
});

describe('ENTERPRISE_USER_SCHEMA', () => {
  it('[RFC7643-4.3] defines every attribute', () => {
    expect(user.findExtension(ENTERPRISE_USER_URN)?.subAttributes?.map(({ name }) => name)).toEqual([
      'employeeNumber',
      'costCenter',
      'organization',
      'division',
      'department',
      'manager',
    ]);
  });

  it("[RFC7643-4.3] makes the manager's display name readOnly", () => {
    expect(characteristics(`${ENTERPRISE_USER_URN}:manager.displayName`).mutability).toBe('readOnly');
    expect(characteristics(`${ENTERPRISE_USER_URN}:manager.value`).mutability).toBe('readWrite');
  });
});

describe('GROUP_SCHEMA', () => {
  it('[RFC7643-4.2] requires a displayName', () => {
    expect(characteristics('displayName', group)).toMatchObject({ required: true, uniqueness: 'none' });
  });

  it.each(['members.value', 'members.$ref', 'members.type'])('[RFC7643-4.2] makes %s immutable', (path) => {
    expect(characteristics(path, group).mutability).toBe('immutable');
  });
});

describe('COMMON_ATTRIBUTES', () => {
  it('[RFC7643-3.1] returns id always and takes it from no client', () => {
    expect(characteristics('id')).toMatchObject({ caseExact: true, mutability: 'readOnly', returned: 'always' });
  });

  it('[RFC7643-3.1] takes externalId from clients, case exact', () => {
    expect(characteristics('externalId')).toMatchObject({ caseExact: true, mutability: 'readWrite', required: false });
  });

  it.each(['meta.resourceType', 'meta.created', 'meta.lastModified', 'meta.location', 'meta.version'])(
    '[RFC7643-3.1] assigns %s itself and returns it by default',
    (path) => {
      expect(characteristics(path)).toMatchObject({ mutability: 'readOnly', returned: 'default' });
    },
  );
});
