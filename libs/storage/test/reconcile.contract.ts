import { describe, expect, it } from '@jest/globals';
import { membershipLine } from '@palisade/domain';
import { changeAt } from './support/store-harness.js';
import type { TestDirectory } from './support/test-directory.js';

/** The second phase of deprovisioning: which memberships of inactive users there are, and ending them. */
export function describeReconcileContract(createDirectory: () => TestDirectory): void {
  describe('reconcileDeprovisioned', () => {
    /** Group `Staff` has ann (inactive) and bob, group `Admins` has ann and the group `Staff`. */
    async function createStaff(): Promise<TestDirectory> {
      const directory = createDirectory();
      const ann = await directory.createUser('ann', { active: false });
      const bob = await directory.createUser('bob', { active: true });
      const staff = await directory.create('Group', 'g1', { displayName: 'Staff' }, { members: [ann.id, bob.id] });
      await directory.create('Group', 'g2', { displayName: 'Admins' }, { members: [ann.id, staff.id] });
      return directory;
    }

    async function reconcile({ store, provider }: TestDirectory, apply: boolean): Promise<string[]> {
      const affected = await store.directory.reconcileDeprovisioned(provider, { apply }, changeAt(8));
      return affected.map(membershipLine);
    }

    it('reports direct memberships of inactive users by display name and external id, sorted', async () => {
      const directory = await createStaff();

      expect(await reconcile(directory, false)).toEqual(['Admins:ann', 'Staff:ann']);
    });

    it.each([false, true])('has the ids and names of user and group, applied: %s', async (apply) => {
      const directory = createDirectory();
      const { id: ann } = await directory.createUser('ann', { active: false, displayName: 'Ann Lee' });
      const { id: bob } = await directory.create('User', 'generated', { userName: 'bob', active: false });
      const { id: staff } = await directory.create('Group', 'g1', { displayName: 'Staff' }, { members: [ann, bob] });
      const group = { groupId: staff, groupDisplay: 'Staff' };

      expect(
        await directory.store.directory.reconcileDeprovisioned(directory.provider, { apply }, changeAt(8)),
      ).toEqual([
        { ...group, userId: ann, externalId: 'ann', userName: 'ann', userDisplay: 'Ann Lee' },
        { ...group, userId: bob, userName: 'bob', userDisplay: 'bob' },
      ]);
    });

    it('changes nothing when it only reports', async () => {
      const directory = await createStaff();

      await reconcile(directory, false);

      expect(await directory.find('Group', 'g1')).toMatchObject({ version: 1, memberCount: 2 });
      expect(await reconcile(directory, false)).toEqual(['Admins:ann', 'Staff:ann']);
    });

    it('removes what it reports when told to apply, and gives each group one new version', async () => {
      const directory = await createStaff();
      const carl = await directory.createUser('carl', { active: false });
      await directory.changeMembers('g1', [{ kind: 'add', ids: [carl.id] }]);

      const report = await reconcile(directory, true);

      expect(report).toEqual(['Admins:ann', 'Staff:ann', 'Staff:carl']);
      expect(await directory.members('g1')).toEqual([directory.userId('bob')]);
      expect(await directory.members('g2')).toEqual([directory.groupId('g1')]);
      const modifiedAt = new Date('2026-01-01T00:00:08Z');
      expect(await directory.find('Group', 'g1')).toMatchObject({ version: 3, modifiedAt });
      expect(await directory.find('Group', 'g2')).toMatchObject({ version: 2, modifiedAt });
    });

    it('has nothing left to do after it was applied', async () => {
      const directory = await createStaff();
      await reconcile(directory, true);

      expect(await reconcile(directory, true)).toEqual([]);
      expect(await directory.find('Group', 'g1')).toMatchObject({ version: 2 });
    });

    it('leaves the users as they are', async () => {
      const directory = await createStaff();

      await reconcile(directory, true);

      expect(await directory.find('User', 'ann', { groups: true })).toMatchObject({ version: 1, groups: [] });
    });

    it('names a user by the current external id, or else by the last part of the identifier', async () => {
      const directory = createDirectory();
      const ann = await directory.createUser('ann', { active: false });
      const bob = await directory.create('User', 'generated', { userName: 'bob', active: false });
      await directory.createGroup('g1', [ann.id, bob.id]);
      await directory.revise('User', 'ann', { externalId: 'anna', userName: 'ann', active: false });

      expect(await reconcile(directory, false)).toEqual(['g1:anna', 'g1:generated']);
    });

    it('sorts by code point and reports equal lines of different groups each', async () => {
      const directory = createDirectory();
      const ann = await directory.createUser('ann', { active: false });
      for (const [name, displayName] of Object.entries({ g1: '\u{1F600}', g2: '\uFA0E', g3: 'b', g4: 'B', g5: 'b' })) {
        await directory.create('Group', name, { displayName }, { members: [ann.id] });
      }

      expect(await reconcile(directory, false)).toEqual(['B:ann', 'b:ann', 'b:ann', '\uFA0E:ann', '\u{1F600}:ann']);
    });

    it('counts a user who has no active attribute as active', async () => {
      const directory = createDirectory();
      const ann = await directory.createUser('ann');
      await directory.createGroup('g1', [ann.id]);

      expect(await reconcile(directory, false)).toEqual([]);
    });

    it('counts a reactivated user as active again', async () => {
      const directory = await createStaff();

      await directory.revise('User', 'ann', { externalId: 'ann', userName: 'ann', active: true });

      expect(await reconcile(directory, true)).toEqual([]);
      expect(await directory.find('Group', 'g1')).toMatchObject({ version: 1, memberCount: 2 });
    });

    it('looks at one provider only', async () => {
      const directory = await createStaff();
      const other = await createStaff();

      await reconcile(directory, true);

      expect(await reconcile(other, false)).toEqual(['Admins:ann', 'Staff:ann']);
    });
  });
}
