import { describe, expect, it } from '@jest/globals';
import { MAX_GROUP_MEMBERS, type ResourceId } from '@palisade/domain';
import { changeAt } from './support/store-harness.js';
import type { TestDirectory } from './support/test-directory.js';

/** Who may be a member of a group. */
export function describeMemberRulesContract(createDirectory: () => TestDirectory): void {
  describe('rules for members', () => {
    describe('who may be a member', () => describeEligibility(createDirectory));
    describe('members that do not exist yet', () => describeUnknownMembers(createDirectory));
  });
}

function describeEligibility(createDirectory: () => TestDirectory): void {
  it('rejects a member that does not exist, and changes nothing', async () => {
    const directory = createDirectory();
    const [u1, u2] = await directory.createFiveUsers();
    const group = await directory.createGroup('g1', [u1]);

    const change = directory.changeMembers('g1', [{ kind: 'replace', ids: [u2, directory.userId('nobody')] }]);

    await expect(change).rejects.toMatchObject({ code: 'UNKNOWN_MEMBER', member: directory.userId('nobody') });
    expect(await directory.find('Group', 'g1')).toEqual(group);
    expect(await directory.members('g1')).toEqual([u1]);
  });

  it('refuses to create a group with a member that does not exist', async () => {
    const directory = createDirectory();

    const create = directory.createGroup('g1', [directory.userId('nobody')]);

    await expect(create).rejects.toMatchObject({ code: 'UNKNOWN_MEMBER', group: directory.groupId('g1') });
    expect(await directory.find('Group', 'g1')).toBeUndefined();
  });

  it.each(['reject', 'accept'] as const)(
    'rejects a member of another provider, though it exists there (unknown members: %s)',
    async (unknownMembers) => {
      const directory = createDirectory();
      const other = await createDirectory().createUser('u1');
      await directory.createGroup('g1');

      const change = directory.changeMembers('g1', [{ kind: 'add', ids: [other.id] }], 1, { unknownMembers });

      await expect(change).rejects.toMatchObject({ code: 'UNKNOWN_MEMBER', member: other.id });
    },
  );

  it.each(['u1', 'user:scim:', 'user:scim:%s:', 'user:scim:%s:a\0b', 'role:scim:%s:u1'])(
    'rejects what is no identifier of this provider even when unknown members are accepted: %j',
    async (pattern) => {
      const directory = createDirectory();
      await directory.createUser('u1');
      await directory.createGroup('g1');
      const member = pattern.replace('%s', directory.provider) as ResourceId;

      const change = directory.changeMembers('g1', [{ kind: 'add', ids: [member] }], 1, { unknownMembers: 'accept' });

      await expect(change).rejects.toMatchObject({ code: 'UNKNOWN_MEMBER' });
    },
  );

  it('changes no attributes either when a member is rejected', async () => {
    const directory = createDirectory();
    const group = await directory.createGroup('g1');

    const update = directory.store.directory.update(
      directory.provider,
      'Group',
      'g1',
      () => ({
        draft: { attributes: { displayName: 'New' }, search: { displayName: 'new' } },
        members: [{ kind: 'add', ids: [directory.userId('nobody')] }],
      }),
      changeAt(1),
    );

    await expect(update).rejects.toMatchObject({ code: 'UNKNOWN_MEMBER' });
    expect(await directory.find('Group', 'g1')).toEqual(group);
    expect(await directory.groupsWhere('displayName eq "g1"')).toEqual(['g1']);
  });

  it('rejects more members than a group may have, and stores nothing', async () => {
    const directory = createDirectory();
    const ids = Array.from({ length: MAX_GROUP_MEMBERS + 1 }, (_, index) => directory.userId(`u${index}`));

    const create = directory.createGroup('g1', ids, { unknownMembers: 'accept' });

    await expect(create).rejects.toMatchObject({ code: 'TOO_MANY_MEMBERS', maxMembers: 200_000 });
    expect(await directory.find('Group', 'g1')).toBeUndefined();
  });
}

function describeUnknownMembers(createDirectory: () => TestDirectory): void {
  it('keeps an accepted member that does not exist, without a display name', async () => {
    const directory = createDirectory();
    const pending = directory.userId('later');

    const group = await directory.createGroup('g1', [pending], { unknownMembers: 'accept' });

    expect(group.memberCount).toBe(1);
    const found = await directory.find('Group', 'g1', { members: true });
    expect(found?.members).toEqual([{ id: pending }]);
  });

  it('makes the membership count when the member is created', async () => {
    const directory = createDirectory();
    const pending = directory.userId('later');
    const group = await directory.createGroup('g1', [pending], { unknownMembers: 'accept' });

    await directory.createUser('later', { displayName: 'Late' });

    expect(await directory.find('Group', 'g1', { members: true })).toEqual({
      ...group,
      members: [{ id: pending, display: 'Late' }],
    });
    expect(await directory.find('User', 'later', { groups: true })).toMatchObject({
      groups: [{ id: group.id, display: 'g1', direct: true }],
    });
  });

  it('keeps a member that does not exist when other members change', async () => {
    const directory = createDirectory();
    const [u1] = await directory.createFiveUsers();
    const pending = directory.userId('later');
    await directory.createGroup('g1', [pending], { unknownMembers: 'accept' });

    await directory.changeMembers('g1', [{ kind: 'add', ids: [u1] }]);

    expect(await directory.members('g1')).toEqual([pending, u1]);
  });

  it('removes a member that does not exist', async () => {
    const directory = createDirectory();
    const pending = directory.userId('later');
    await directory.createGroup('g1', [pending], { unknownMembers: 'accept' });

    const group = await directory.changeMembers('g1', [{ kind: 'remove', ids: [pending] }]);

    expect(group).toMatchObject({ version: 2, memberCount: 0 });
  });
}
