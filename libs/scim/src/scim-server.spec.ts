import { beforeEach, describe, expect, it } from '@jest/globals';
import { ResourceNotFoundError, UniquenessError } from '@palisade/domain';
import { MemoryStore } from '@palisade/storage';
import { ScimServer } from './scim-server.js';

function createServer(overrides: Partial<ConstructorParameters<typeof ScimServer>[0]> = {}): ScimServer {
  return new ScimServer({ store: new MemoryStore(), provider: 'okta', ...overrides });
}

const ADA = { externalId: 'ada', userName: 'ada@example.com' };

describe(ScimServer.name, () => {
  let scim: ScimServer;

  beforeEach(() => {
    scim = createServer();
  });

  it('is a directory in five lines', async () => {
    const ada = await scim.createUser(ADA);
    await scim.createGroup({ externalId: 'eng', displayName: 'Engineers' });
    await scim.patchGroup('eng', { operations: [{ op: 'Add', path: 'members', value: [{ value: ada.id }] }] });
    const group = await scim.getGroup('eng');
    expect(group.members).toMatchObject([{ value: 'user:scim:okta:ada', type: 'User', display: 'ada@example.com' }]);
  });

  it('answers a repeated create with the identical result', async () => {
    const first = await scim.createUser(ADA);
    const second = await scim.createUser({ ...ADA, userName: 'somebody-else@example.com' });
    expect(second).toEqual(first);
    expect((await scim.listUsers()).totalResults).toBe(1);
  });

  it('rejects a repeated create where the provider wants a conflict', async () => {
    const strict = createServer({ settings: { repeatCreate: 'conflict' } });
    await strict.createUser(ADA);
    await expect(strict.createUser(ADA)).rejects.toBeInstanceOf(UniquenessError);
  });

  it('makes two objects of one external id in two providers', async () => {
    const store = new MemoryStore();
    const okta = createServer({ store });
    const entra = createServer({ store, provider: 'entra' });
    await okta.createUser(ADA);
    await entra.createUser({ ...ADA, displayName: 'Ada at Entra' });
    expect(await okta.getUser('ada')).toMatchObject({ id: 'user:scim:okta:ada' });
    expect(await entra.getUser('ada')).toMatchObject({ id: 'user:scim:entra:ada', displayName: 'Ada at Entra' });
    await expect(okta.getUser('user:scim:entra:ada')).rejects.toBeInstanceOf(ResourceNotFoundError);
  });

  it('finds an object by external id, by identifier and by a changed external id', async () => {
    await scim.createUser(ADA);
    await scim.patchUser('ada', { operations: [{ op: 'replace', path: 'externalId', value: 'ada-2' }] });
    for (const reference of ['ada', 'user:scim:okta:ada', 'ada-2']) {
      expect(await scim.getUser(reference)).toMatchObject({ id: 'user:scim:okta:ada', externalId: 'ada-2' });
    }
  });

  it('gives a user without externalId an identifier of its own and no externalId', async () => {
    const user = await scim.createUser({ userName: 'bob' });
    expect(user.id).toMatch(/^user:scim:okta:[0-9a-f]{8}-[0-9a-f]{4}-7/);
    expect(user).not.toHaveProperty('externalId');
  });

  it('fails to update a user who does not exist', async () => {
    await expect(scim.updateUser('nobody', ADA)).rejects.toBeInstanceOf(ResourceNotFoundError);
  });

  it('keeps with an update what it does not mention', async () => {
    await scim.createUser({ ...ADA, title: 'Countess', emails: [{ value: 'a@example.com' }] });
    const updated = await scim.updateUser('ada', { ...ADA, displayName: 'Ada', emails: null });
    expect(updated).toMatchObject({ title: 'Countess', displayName: 'Ada' });
    expect(updated).not.toHaveProperty('emails');
  });

  it('leaves version and lastModified alone when nothing changes', async () => {
    let now = Date.UTC(2026, 0, 1);
    const clocked = createServer({ now: () => now });
    const { meta } = await clocked.createUser({ ...ADA, title: 'Countess' });
    now += 60_000;
    const patch = { operations: [{ op: 'replace', path: 'title', value: 'Countess' }] };
    expect((await clocked.patchUser('ada', patch)).meta).toEqual(meta);
    expect((await clocked.updateUser('ada', ADA)).meta).toEqual(meta);
  });

  it('lists users and groups together, each by its own attributes', async () => {
    await scim.createUser(ADA);
    await scim.createGroup({ externalId: 'eng', displayName: 'Engineers' });
    const all = await scim.search({ filter: 'displayName eq "engineers" or userName sw "ADA"', sortBy: 'id' });
    expect(all.Resources).toMatchObject([{ id: 'group:scim:okta:eng' }, { id: 'user:scim:okta:ada' }]);
  });

  it('rejects an attribute that no resource type has when it lists them together', async () => {
    await expect(scim.search({ filter: 'shoeSize eq 43' })).rejects.toMatchObject({ scimType: 'invalidFilter' });
  });

  it('pages by cursor over a sorted list', async () => {
    for (const name of ['c', 'a', 'b']) {
      await scim.createUser({ userName: name });
    }
    const names: unknown[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined;) {
      const page = await scim.listUsers({ sortBy: 'userName', sortOrder: 'descending', count: 1, cursor });
      names.push(...(page.Resources as { userName: string }[]).map(({ userName }) => userName));
      cursor = page.nextCursor as string | undefined;
    }
    expect(names).toEqual(['c', 'b', 'a']);
  });
});
