import { describe, expect, it } from '@jest/globals';
import { AclOperations, AclPermissionTypes, ResourcePatternTypes, ResourceTypes, type Acl } from '@platformatic/kafka';
import { describeAcl, ownedAcls, plannedAcls, reaches } from './acls.js';

const OWNER = { principal: 'User:acme', prefix: 'acme.', mayCreateTopics: false };

function createAcl(overrides: Partial<Acl> = {}): Acl {
  return {
    resourceType: ResourceTypes.TOPIC,
    resourceName: 'acme.',
    resourcePatternType: ResourcePatternTypes.PREFIXED,
    principal: 'User:x',
    host: '*',
    operation: AclOperations.READ,
    permissionType: AclPermissionTypes.ALLOW,
    ...overrides,
  };
}

describe(plannedAcls.name, () => {
  it('lets an owner use what begins with the prefix, and create topics only when it may', () => {
    expect(plannedAcls(OWNER).map(describeAcl)).toEqual([
      'User:acme may READ TOPIC acme.*',
      'User:acme may WRITE TOPIC acme.*',
      'User:acme may READ GROUP acme.*',
      'User:acme may WRITE TRANSACTIONAL_ID acme.*',
    ]);
    expect(plannedAcls({ ...OWNER, mayCreateTopics: true }).map(describeAcl)).toContain(
      'User:acme may CREATE TOPIC acme.*',
    );
  });
});

describe(ownedAcls.name, () => {
  it('finds what was granted before, and nothing that somebody else has granted', () => {
    const granted = plannedAcls({ ...OWNER, mayCreateTopics: true });
    const strange = createAcl({ principal: 'User:acme', operation: AclOperations.DELETE });
    expect(ownedAcls([...granted.toReversed(), strange], OWNER)).toEqual(granted);
  });
});

describe(reaches.name, () => {
  const { LITERAL, PREFIXED } = ResourcePatternTypes;

  it.each([
    ['acme.', PREFIXED, true],
    ['acme.orders', PREFIXED, true],
    ['acme', PREFIXED, true],
    ['a', PREFIXED, true],
    ['acme2.', PREFIXED, false],
    ['bolt.', PREFIXED, false],
    ['acme.orders', LITERAL, true],
    ['*', LITERAL, true],
    ['acme', LITERAL, false],
    ['acme2.orders', LITERAL, false],
  ])('tells whether %s, %i leads to what begins with acme.', (resourceName, resourcePatternType, expected) => {
    expect(reaches(createAcl({ resourceName, resourcePatternType }), 'acme.')).toBe(expected);
  });

  it('does not count rejections, nor what is not separated', () => {
    expect(reaches(createAcl({ permissionType: AclPermissionTypes.DENY }), 'acme.')).toBe(false);
    expect(reaches(createAcl({ resourceType: ResourceTypes.CLUSTER, resourceName: '*' }), 'acme.')).toBe(false);
  });
});
