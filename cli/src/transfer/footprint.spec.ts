import { describe, expect, it } from '@jest/globals';
import { footprintOf, isEntangled } from './footprint.js';
import { START } from './records.js';
import { RESOURCE_KINDS, type Resource, type ResourceName } from './resource-kind.js';

describe(isEntangled.name, () => {
  const check = (name: ResourceName, earlier: Resource, later: Resource): boolean => {
    const [first, second] = [earlier, later].map((resource) =>
      footprintOf({ records: [{ number: 1, line: 1, end: START, resource }], end: START }, RESOURCE_KINDS[name]),
    );
    return first !== undefined && second !== undefined && isEntangled(first, second);
  };

  it('sees the same external id', () => {
    expect(check('users', { externalId: 'a', userName: 'x' }, { externalId: 'a', userName: 'y' })).toBe(true);
  });

  it('sees the same name, whatever its case', () => {
    expect(check('users', { externalId: 'a', userName: 'Ann' }, { externalId: 'b', userName: 'ann' })).toBe(true);
  });

  it('takes no external id for a name', () => {
    expect(check('users', { externalId: 'a', userName: 'b' }, { externalId: 'b', userName: 'a' })).toBe(false);
  });

  it('sees a group that is a member of a later one', () => {
    const later = { externalId: 'b', displayName: 'B', members: [null, { value: 'group:scim:p:a' }] };
    expect(check('groups', { externalId: 'a', displayName: 'A' }, later)).toBe(true);
  });

  it('sees a group that has a later one as a member, which it must not find there', () => {
    const earlier = { externalId: 'a', displayName: 'A', members: [{ value: 'group:scim:p:b' }] };
    expect(check('groups', earlier, { externalId: 'b', displayName: 'B' })).toBe(true);
  });

  it('lets two groups have the same user', () => {
    const members = [{ value: 'user:scim:p:a' }];
    expect(
      check('groups', { externalId: 'a', displayName: 'A', members }, { externalId: 'b', displayName: 'B', members }),
    ).toBe(false);
  });
});
