import { beforeEach, describe, expect, it } from '@jest/globals';
import { InvalidIdentifierError, ResourceNotFoundError, UnknownSubjectError, type Store } from '@palisade/domain';
import { GROUP_URN, PATCH_OP_URN, ProvisioningServer, USER_URN } from '@palisade/scim';
import { freshNamespace, freshProvider } from './support/store-harness.js';

/** The whole life of a user's access, through the calls that a program makes. */
export function describeProvisioningServerContract(store: () => Store): void {
  describe(ProvisioningServer.name, () => {
    let server: ProvisioningServer;
    let namespace: string;
    let user: string;
    let group: string;

    beforeEach(async () => {
      server = new ProvisioningServer({ store: store(), provider: freshProvider() });
      namespace = freshNamespace();
      user = `user:scim:${server.provider}:u1`;
      group = `group:scim:${server.provider}:g1`;
      await server.createUser({ schemas: [USER_URN], externalId: 'u1', userName: 'ada@example.com' });
      await server.createGroup({
        schemas: [GROUP_URN],
        externalId: 'g1',
        displayName: 'Engineers',
        members: [{ value: user }],
      });
    });

    const approve = (overrides = {}) =>
      server.addBinding({ boundSubject: group, namespace, relation: 'write', approvedBy: 'root', ...overrides });

    it('grants nothing until a binding is added, and nothing any more once it is removed', async () => {
      expect(await server.hasAccess({ user, namespace })).toBe(false);
      await approve();
      expect(await server.hasAccess({ user, namespace, relation: 'write' })).toBe(true);
      expect(await server.hasAccess({ user, namespace, relation: 'admin' })).toBe(false);
      expect(await server.removeBinding({ boundSubject: group, namespace, relation: 'write' })).toBe(true);
      expect(await server.removeBinding({ boundSubject: group, namespace, relation: 'write' })).toBe(false);
      expect(await server.hasAccess({ user, namespace })).toBe(false);
    });

    it('binds manually and for reading unless told otherwise, and once', async () => {
      const binding = await server.addBinding({ boundSubject: group, namespace, approvedBy: 'root' });
      expect(binding).toMatchObject({ relation: 'read', source: 'manual', approvedBy: 'root', state: 'active' });
      expect(await server.addBinding({ boundSubject: group, namespace, approvedBy: 'other' })).toEqual(binding);
      expect(await server.listBindings({ namespace })).toEqual([binding]);
      expect(await server.listBindings({ namespace, state: 'dangling' })).toEqual([]);
      expect(await server.listBindings()).toContainEqual(binding);
    });

    it('binds a group that does not exist only when asked to', async () => {
      const boundSubject = `group:scim:${server.provider}:later`;
      await expect(approve({ boundSubject })).rejects.toThrow(UnknownSubjectError);
      expect(await approve({ boundSubject, pending: true })).toMatchObject({ state: 'dangling' });
    });

    it.each([
      ['a subject that is no group', { boundSubject: 'user:scim:okta:u1' }],
      ['a namespace that is none', { namespace: 'Orders!' }],
      ['an unknown relation', { relation: 'own' }],
      ['an unknown source', { source: 'guess' }],
    ])('rejects %s, and stores nothing', async (_, overrides) => {
      await expect(approve(overrides)).rejects.toThrow(InvalidIdentifierError);
      expect(await server.listBindings({ namespace })).toEqual([]);
    });

    it('deactivates a user, whose memberships and bindings stay until they are reconciled', async () => {
      await approve();
      await server.deactivateUser('u1');
      await server.deactivateUser('u1');
      expect(await server.getUser('u1')).toMatchObject({ active: false });
      expect(await server.explainAccess({ user: 'u1', namespace })).toEqual({ grants: [], denial: 'inactive_user' });
      expect(await server.reconcileDeprovisioned()).toEqual(['Engineers:u1']);
      expect(await server.getGroup('g1')).toMatchObject({ members: [{ value: user }] });
      expect(await server.reconcileDeprovisioned({ apply: true })).toEqual(['Engineers:u1']);
      expect(await server.getGroup('g1')).not.toHaveProperty('members');
      expect(await server.reconcileDeprovisioned()).toEqual([]);
      expect(await server.listBindings({ namespace })).toHaveLength(1);
    });

    it('cannot deactivate a user who does not exist', async () => {
      await expect(server.deactivateUser('nobody')).rejects.toThrow(ResourceNotFoundError);
    });

    it('says what a user may do, who may do something, and through which groups', async () => {
      const binding = await approve();
      const { state: _, display: __, ...granted } = binding;
      const grants = [{ groups: [group], binding: granted }];
      expect(await server.explainAccess({ user, namespace })).toEqual({ grants });
      expect(await server.listAccess('u1')).toEqual(grants);
      expect(await server.listUsersWithAccess(namespace)).toEqual([
        { id: user, userName: 'ada@example.com', relation: 'write' },
      ]);
      expect(await server.listUsersWithAccess(namespace, 'admin')).toEqual([]);
    });

    it('takes members out of a group and puts them in by patches', async () => {
      const patch = (op: string) =>
        server.patchGroup('g1', {
          schemas: [PATCH_OP_URN],
          Operations: [{ op, path: 'members', value: [{ value: user }] }],
        });
      expect(await patch('Remove')).not.toHaveProperty('members');
      expect(await patch('Add')).toMatchObject({ members: [{ value: user }] });
    });

    it('neither adds nor removes bindings when what they bind is deleted', async () => {
      await approve();
      await server.deleteUser('u1');
      await server.deleteGroup('g1');
      expect(await server.listBindings({ namespace })).toMatchObject([{ state: 'dangling' }]);
    });
  });
}
