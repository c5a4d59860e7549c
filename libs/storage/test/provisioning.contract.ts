import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { DomainError, type NamespaceId, type ResourceId } from '@palisade/domain';
import { changeAt, freshNamespace } from './support/store-harness.js';
import type { TestDirectory } from './support/test-directory.js';
import { runs } from '../../../test/support/effort.js';

const TIMEOUT_MS = 120_000;

/** Whatever an identity provider pushes, it neither makes nor ends a grant: only namespace admins do. */
export function describeProvisioningContract(createDirectory: () => TestDirectory): void {
  describe('provisioning and bindings', () => {
    it(
      'never creates, changes or removes a binding by any operation of the directory',
      async () => {
        await fc.assert(
          fc.asyncProperty(fc.array(operations, { maxLength: 20 }), async (operations) => {
            const directory = createDirectory();
            const namespace = await createBindings(directory);
            const before = await bindingsOf(directory, namespace);

            for (const operation of operations) {
              await perform(directory, operation).catch(acceptRejection);
            }

            expect(await bindingsOf(directory, namespace)).toEqual(before);
          }),
          { numRuns: runs(10) },
        );
      },
      TIMEOUT_MS,
    );
  });
}

const operations = fc.record({
  kind: fc.constantFrom(
    'createUser',
    'createGroup',
    'rename',
    'addMembers',
    'replaceMembers',
    'deactivate',
    'deleteUser',
    'deleteGroup',
    'reconcile',
  ),
  target: fc.constantFrom('0', '1', '2'),
  others: fc.subarray(['0', '1', '2']),
  nested: fc.subarray(['0', '1', '2']),
});
type Operation = typeof operations extends fc.Arbitrary<infer T> ? T : never;

async function createBindings(directory: TestDirectory): Promise<NamespaceId> {
  const namespace = freshNamespace();
  await directory.createGroup('0');
  for (const [localId, relation] of [
    ['0', 'read'],
    ['0', 'admin'],
    ['1', 'write'],
  ] as const) {
    const boundSubject = directory.groupId(localId);
    const binding = { namespace, boundSubject, relation, source: 'manual', approvedBy: 'root' } as const;
    await directory.store.bindings.add(binding, changeAt(0), { pending: true });
  }
  return namespace;
}

/** All of the provider's and of the namespace's, without what the state of the group shows. */
async function bindingsOf({ store, provider }: TestDirectory, namespace: NamespaceId) {
  const byProvider = await store.bindings.list({ provider, limit: 100 });
  const byNamespace = await store.bindings.list({ namespace, limit: 100 });
  return [byProvider, byNamespace].map((bindings) =>
    bindings.map((binding) => ({ ...binding, state: undefined, display: undefined })),
  );
}

/** A rejected operation must leave bindings alone as well; a failed one must not be. */
function acceptRejection(error: unknown): void {
  if (!(error instanceof DomainError)) {
    throw error;
  }
}

async function perform(directory: TestDirectory, { kind, target, others, nested }: Operation): Promise<unknown> {
  const { store, provider } = directory;
  const ids: ResourceId[] = [
    ...others.map((name) => directory.userId(name)),
    ...nested.map((name) => directory.groupId(name)),
  ];
  switch (kind) {
    case 'createUser':
      return directory.createUser(target);
    case 'createGroup':
      return directory.createGroup(target, ids, { unknownMembers: 'accept' });
    case 'rename':
      return directory.revise('Group', target, { externalId: `${target}x`, displayName: 'Renamed' });
    case 'addMembers':
      return directory.changeMembers(target, [{ kind: 'add', ids }]);
    case 'replaceMembers':
      return directory.changeMembers(target, [{ kind: 'replace', ids }]);
    case 'deactivate':
      return store.directory.deactivateUser(provider, target, changeAt(1));
    case 'deleteUser':
      return directory.delete('User', target);
    case 'deleteGroup':
      return directory.delete('Group', target);
    case 'reconcile':
      return store.directory.reconcileDeprovisioned(provider, { apply: true }, changeAt(1));
    default:
      return kind satisfies never;
  }
}
