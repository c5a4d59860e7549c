import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  DEFAULT_PROVIDER_SETTINGS,
  formatResourceId,
  type GroupId,
  parseNamespaceId,
  parseProviderId,
  type ResourceId,
} from '@palisade/domain';
import { FairTurns } from '@palisade/platform';
import { MemoryStore } from '@palisade/storage';
import type { Relationship } from './relationship-formats.js';
import { RelationshipsService } from './relationships.service.js';

const acme = parseProviderId('acme');
const globex = parseProviderId('globex');
const change = { actor: 'test', at: new Date(0) };

describe(RelationshipsService.name, () => {
  let store: MemoryStore;
  let relationships: RelationshipsService;

  beforeEach(async () => {
    store = new MemoryStore();
    relationships = new RelationshipsService(store, new FairTurns());
    await store.providers.create(acme, { settings: DEFAULT_PROVIDER_SETTINGS }, change);
    await store.providers.create(globex, { settings: DEFAULT_PROVIDER_SETTINGS }, change);
  });

  async function createUsers(provider: typeof acme, count: number, active = true): Promise<ResourceId[]> {
    const ids = Array.from({ length: count }, (_, index) => formatResourceId('User', provider, `${active}-${index}`));
    for (const id of ids) {
      const attributes = { userName: id, active };
      await store.directory.create(provider, 'User', id, { attributes, search: attributes }, change);
    }
    return ids;
  }

  async function createGroup(provider: typeof acme, name: string, members: ResourceId[]): Promise<GroupId> {
    const id = formatResourceId('Group', provider, name);
    const attributes = { displayName: name };
    await store.directory.create(provider, 'Group', id, { attributes, search: attributes }, change, { members });
    return id;
  }

  async function bind(boundSubject: GroupId, namespace: string): Promise<void> {
    const binding = {
      boundSubject,
      namespace: parseNamespaceId(namespace),
      relation: 'read',
      source: 'manual',
    } as const;
    await store.bindings.add({ ...binding, approvedBy: 'ann' }, change, { pending: true });
  }

  async function exported(provider?: typeof acme): Promise<Relationship[]> {
    const found: Relationship[] = [];
    for await (const batch of relationships.export(provider)) {
      found.push(...batch);
    }
    return found;
  }

  it.each([499, 500, 501, 1000])('exports %d bindings and as many memberships, each once', async (count) => {
    const group = await createGroup(acme, 'g', await createUsers(acme, count));
    for (let index = 0; index < count; index++) {
      await bind(group, `n-${index}`);
    }
    const found = await exported();
    const { binding = [], membership = [] } = Object.groupBy(found, ({ kind }) => kind);
    expect([binding.length, membership.length]).toEqual([count, count]);
    expect(new Set(found.map((each) => JSON.stringify(each))).size).toBe(2 * count);
  });

  it('leaves out what gives no access', async () => {
    await createGroup(acme, 'g', await createUsers(acme, 1, false));
    await bind(formatResourceId('Group', acme, 'missing'), 'n');
    expect(await exported()).toEqual([]);
  });

  it('exports only direct memberships, and groups in groups', async () => {
    const [user] = await createUsers(acme, 1);
    const inner = await createGroup(acme, 'inner', user === undefined ? [] : [user]);
    const outer = await createGroup(acme, 'outer', [inner]);
    expect(await exported()).toEqual([
      { kind: 'membership', group: outer, member: inner },
      { kind: 'membership', group: inner, member: user },
    ]);
  });

  it('exports one provider when asked to', async () => {
    await createGroup(acme, 'g', await createUsers(acme, 1));
    const group = await createGroup(globex, 'g', await createUsers(globex, 1));
    await bind(group, 'n');
    const providers = (await exported(globex)).map((each) => each.group);
    expect(providers).toEqual([group, group]);
  });

  it('reads no page before it is asked for', async () => {
    const list = jest.spyOn(store.bindings, 'list');
    const batches = relationships.export();
    expect(list).not.toHaveBeenCalled();
    await batches.next();
    expect(list).toHaveBeenCalledTimes(1);
    await batches.return();
  });
});
