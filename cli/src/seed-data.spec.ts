import { describe, expect, it } from '@jest/globals';
import { seedGroups, seedUsers } from './seed-data.js';

const identify = (id: string): string => `user:scim:p:${id}`;

describe(seedUsers.name, () => {
  it('makes the same users from the same seed', () => {
    expect([...seedUsers(7, 50)]).toEqual([...seedUsers(7, 50)]);
  });

  it('begins with the same users however many there are', () => {
    expect([...seedUsers(7, 50)].slice(0, 10)).toEqual([...seedUsers(7, 10)]);
  });

  it('makes other users from another seed', () => {
    const names = (seed: number): unknown[] => [...seedUsers(seed, 50)].map((user) => user['displayName']);
    expect(names(7)).not.toEqual(names(8));
  });

  it('gives each user another external id', () => {
    expect(new Set([...seedUsers(7, 1000)].map((user) => user['externalId'])).size).toBe(1000);
  });
});

describe(seedGroups.name, () => {
  it('has only users of the same seed as members', () => {
    const users = new Set([...seedUsers(7, 20)].map((user) => identify(String(user['externalId']))));
    const members = [...seedGroups(7, 30, 20, identify)].flatMap((group) => group['members'] as { value: string }[]);
    expect(members.filter(({ value }) => !users.has(value))).toEqual([]);
  });

  it('makes groups without members when there are no users', () => {
    expect([...seedGroups(7, 1, 0, identify)][0]).not.toHaveProperty('members');
  });
});
