import { describe, expect, it } from '@jest/globals';
import type { GroupId, ProviderId, StoredGroup, StoredUser, UserId } from '@palisade/domain';
import { createResourceSchema } from '../schema/create-resource-schema.js';
import { ENTERPRISE_USER_URN, GROUP_URN, USER_URN } from '../urns.js';
import { presentResource, resourceLocation } from './present-resource.js';
import { Projection, type ProjectionParameters } from './projection.js';

const user = createResourceSchema('User');
const group = createResourceSchema('Group');
const BASE = 'https://scim.example/scim/v2';

function createUser(overrides: Partial<StoredUser> = {}): StoredUser {
  return {
    type: 'User',
    id: 'user:scim:acme:1' as UserId,
    provider: 'acme' as ProviderId,
    externalId: '1',
    version: 2,
    createdAt: new Date('2026-01-01T00:00:00Z'),
    modifiedAt: new Date('2026-01-02T00:00:00Z'),
    attributes: { userName: 'Babs', name: { givenName: 'B', familyName: 'J' }, active: true },
    ...overrides,
  };
}

function createGroup(overrides: Partial<StoredGroup> = {}): StoredGroup {
  return {
    type: 'Group',
    id: 'group:scim:acme:g' as GroupId,
    provider: 'acme' as ProviderId,
    version: 1,
    memberCount: 0,
    createdAt: new Date('2026-01-01T00:00:00Z'),
    modifiedAt: new Date('2026-01-01T00:00:00Z'),
    attributes: { displayName: 'G' },
    ...overrides,
  };
}

function present(resource: StoredUser | StoredGroup, parameters: ProjectionParameters = {}) {
  const schema = resource.type === 'User' ? user : group;
  return presentResource(resource, schema, Projection.parse(parameters, schema), BASE);
}

describe(presentResource.name, () => {
  it('[RFC7643-3.1] represents a user with the common attributes', () => {
    expect(present(createUser())).toEqual({
      schemas: [USER_URN],
      id: 'user:scim:acme:1',
      externalId: '1',
      userName: 'Babs',
      name: { givenName: 'B', familyName: 'J' },
      active: true,
      meta: {
        resourceType: 'User',
        created: '2026-01-01T00:00:00.000Z',
        lastModified: '2026-01-02T00:00:00.000Z',
        location: 'https://scim.example/scim/v2/Users/user:scim:acme:1',
        version: 'W/"2"',
      },
    });
  });

  it('[RFC7643-3.1] returns no externalId that the client never set', () => {
    expect(present(createUser({ externalId: undefined }))).not.toHaveProperty('externalId');
  });

  it('[RFC7643-3] names the extensions that are present, and no others', () => {
    const resource = createUser({ attributes: { userName: 'a', [ENTERPRISE_USER_URN]: { department: 'x' } } });

    expect(present(resource).schemas).toEqual([USER_URN, ENTERPRISE_USER_URN]);
    expect(present(resource, { attributes: ['userName'] }).schemas).toEqual([USER_URN]);
  });

  it('shows no data of an extension that is no longer defined', () => {
    expect(present(createUser({ attributes: { userName: 'a', 'urn:gone': { x: 1 } } }))).not.toHaveProperty([
      'urn:gone',
    ]);
  });

  it('[RFC7643-7] never shows a password, even if one were stored', () => {
    expect(present(createUser({ attributes: { userName: 'a', password: 'x' } }))).not.toHaveProperty('password');
  });

  it('[RFC7643-4.1.2] lists groups with their location and whether they are direct', () => {
    const groups = [
      { id: 'group:scim:acme:a/b' as GroupId, display: 'A', direct: true },
      { id: 'group:scim:acme:c' as GroupId, display: 'C', direct: false },
    ];

    expect(present(createUser({ groups })).groups).toEqual([
      {
        value: 'group:scim:acme:a/b',
        $ref: 'https://scim.example/scim/v2/Groups/group:scim:acme:a%2Fb',
        display: 'A',
        type: 'direct',
      },
      {
        value: 'group:scim:acme:c',
        $ref: 'https://scim.example/scim/v2/Groups/group:scim:acme:c',
        display: 'C',
        type: 'indirect',
      },
    ]);
  });

  it('[RFC7643-2.5] omits groups of a user in none, and members of a group without', () => {
    expect(present(createUser({ groups: [] }))).not.toHaveProperty('groups');
    expect(present(createGroup({ members: [] }))).not.toHaveProperty('members');
  });

  it('[RFC7643-4.2] lists members with their location, type and name', () => {
    const members = [{ id: 'user:scim:acme:1' as UserId, display: 'Babs' }, { id: 'group:scim:acme:h' as GroupId }];

    expect(present(createGroup({ members }))).toMatchObject({
      schemas: [GROUP_URN],
      members: [
        { value: 'user:scim:acme:1', $ref: `${BASE}/Users/user:scim:acme:1`, type: 'User', display: 'Babs' },
        { value: 'group:scim:acme:h', $ref: `${BASE}/Groups/group:scim:acme:h`, type: 'Group' },
      ],
    });
    expect(JSON.stringify(present(createGroup({ members })))).not.toContain('null');
  });

  it('[RFC7644-3.9] represents only what is asked for, and the minimum', () => {
    expect(present(createUser(), { attributes: ['name.givenName', 'meta.version'] })).toEqual({
      schemas: [USER_URN],
      id: 'user:scim:acme:1',
      name: { givenName: 'B' },
      meta: { version: 'W/"2"' },
    });
  });

  it('[RFC7644-3.9] projects every element of a list', () => {
    const resource = createUser({
      attributes: { userName: 'a', emails: [{ value: 'x', type: 'work' }, { type: 'home' }, { value: 'y' }] },
    });

    expect(present(resource, { attributes: ['emails.value'] }).emails).toEqual([{ value: 'x' }, { value: 'y' }]);
  });

  it('omits a list and an object that nothing is left of', () => {
    const resource = createUser({ attributes: { name: { givenName: 'B' }, emails: [{ type: 'home' }] } });
    const presented = present(resource, { attributes: ['emails.value', 'name.familyName'] });

    expect(Object.keys(presented)).toEqual(['schemas', 'id']);
  });

  it('[RFC7644-3.4.2.5] leaves out excluded attributes', () => {
    const presented = present(createUser(), { excludedAttributes: ['name', 'externalId', 'meta', 'id'] });

    expect(Object.keys(presented)).toEqual(['schemas', 'id', 'userName', 'active']);
  });

  it('leaves the stored resource as it is', () => {
    const resource = createUser();
    const before = structuredClone(resource);
    present(resource, { attributes: ['name.givenName'] });

    expect(resource).toEqual(before);
  });
});

describe(resourceLocation.name, () => {
  it('encodes what would end a path segment', () => {
    expect(resourceLocation('User', 'user:scim:acme:a/b?c#d é', '')).toBe(
      '/Users/user:scim:acme:a%2Fb%3Fc%23d%20%C3%A9',
    );
  });
});
