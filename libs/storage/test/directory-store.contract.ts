import { describe, expect, it } from '@jest/globals';
import { UniquenessError } from '@palisade/domain';
import { userDraft } from './support/drafts.js';
import { changeAt } from './support/store-harness.js';
import type { TestDirectory } from './support/test-directory.js';

/** What is one resource and what is another, and how each is found. */
export function describeDirectoryStoreContract(createDirectory: () => TestDirectory): void {
  describe('identity of directory objects', () => {
    describe('create', () => describeCreate(createDirectory));
    describe('uniqueness', () => describeUniqueness(createDirectory));
    describe('scope of a provider', () => describeProviderScope(createDirectory));
    describe('find', () => describeFind(createDirectory));
  });
}

function describeCreate(createDirectory: () => TestDirectory): void {
  it('stores a user at version 1, with the time of the change', async () => {
    const directory = createDirectory();
    const { store, provider } = directory;
    const draft = userDraft({ externalId: 'u1', userName: 'Ann@Example.com', title: 'Chief' });

    const result = await store.directory.create(provider, 'User', directory.userId('u1'), draft, changeAt(7));

    expect(result).toEqual({
      created: true,
      resource: {
        type: 'User',
        provider,
        id: `user:scim:${provider}:u1`,
        externalId: 'u1',
        version: 1,
        createdAt: new Date('2026-01-01T00:00:07Z'),
        modifiedAt: new Date('2026-01-01T00:00:07Z'),
        attributes: { userName: 'Ann@Example.com', title: 'Chief' },
      },
    });
  });

  it('stores a group with the number of its members, and without them unless asked', async () => {
    const directory = createDirectory();
    const user = await directory.createUser('u1');

    const group = await directory.createGroup('g1', [user.id]);

    expect(group).toEqual({
      type: 'Group',
      provider: directory.provider,
      id: `group:scim:${directory.provider}:g1`,
      externalId: 'g1',
      version: 1,
      createdAt: new Date('2026-01-01T00:00:00Z'),
      modifiedAt: new Date('2026-01-01T00:00:00Z'),
      attributes: { displayName: 'g1' },
      memberCount: 1,
    });
  });

  it('keeps values as they were given, whatever they hold', async () => {
    const directory = createDirectory();
    const title = 'Ünï "quoted" \\ \' % _ \u{1F600} \u2028 \n\t end';

    await directory.createUser('u1', { title });

    expect((await directory.find('User', 'u1'))?.attributes.title).toBe(title);
  });

  it('gives no externalId to a resource that the client gave none', async () => {
    const directory = createDirectory();

    await directory.create('User', '0197a2c4', { userName: 'ann' });

    const found = await directory.find('User', '0197a2c4');
    expect(found).toMatchObject({ id: directory.userId('0197a2c4') });
    expect(found?.externalId).toBeUndefined();
  });

  it('answers a repeated create with the first result and changes nothing', async () => {
    const directory = createDirectory();
    const { store, provider } = directory;
    const id = directory.userId('u1');
    const first = await directory.createUser('u1', { title: 'first' });
    const repetition = userDraft({ externalId: 'u1', userName: 'other', title: 'second' });

    const repeated = await store.directory.create(provider, 'User', id, repetition, changeAt(9));

    expect(repeated).toEqual({ created: false, resource: first });
    expect(await directory.list({})).toEqual(['u1']);
  });

  it('counts a create with the current externalId of a resource as a repetition, whatever its identifier', async () => {
    const directory = createDirectory();
    await directory.createUser('u1');
    const changed = await directory.revise('User', 'u1', { externalId: 'u2', userName: 'u1' });

    const draft = userDraft({ externalId: 'u2', userName: 'someone' });
    const id = directory.userId('u2');
    const repeated = await directory.store.directory.create(directory.provider, 'User', id, draft, changeAt(9));

    expect(repeated).toEqual({ created: false, resource: changed });
  });

  it('makes one resource of parallel equal creates', async () => {
    const directory = createDirectory();
    const { store, provider } = directory;
    const draft = userDraft({ externalId: 'u1', userName: 'ann' });

    const results = await Promise.all(
      Array.from({ length: 20 }, () =>
        store.directory.create(provider, 'User', directory.userId('u1'), draft, changeAt(0)),
      ),
    );

    expect(results.filter(({ created }) => created)).toHaveLength(1);
    expect(results.map(({ resource }) => resource)).toEqual(Array(20).fill(results[0]?.resource));
    expect(await directory.list({})).toEqual(['u1']);
  });
}

function describeUniqueness(createDirectory: () => TestDirectory): void {
  it('rejects an identifier that another resource keeps although its externalId is a different one now', async () => {
    const directory = createDirectory();
    await directory.createUser('u1');
    await directory.revise('User', 'u1', { externalId: 'u2', userName: 'u1' });

    const create = directory.createUser('u1', { userName: 'someone' });

    await expect(create).rejects.toMatchObject({ code: 'UNIQUENESS', attribute: 'id' });
  });

  it('[RFC7643-8.7.1] rejects a userName that differs from a stored one in case only', async () => {
    const directory = createDirectory();
    await directory.createUser('u1', { userName: 'Ann@Example.com' });

    const create = directory.createUser('u2', { userName: 'ANN@example.COM' });

    await expect(create).rejects.toThrow(UniquenessError);
    await expect(create).rejects.toMatchObject({ type: 'User', attribute: 'userName' });
    expect(await directory.list({})).toEqual(['u1']);
  });

  it.each([
    ['a letter beyond ASCII', 'ÄRGER', 'ärger'],
    ['composed and decomposed accents', 'Zo\u00e9', 'zoe\u0301'],
    ['a sigma at the end of a word', 'ΟΔΟΣ', 'οδος'],
    ['letters beyond the basic plane', '\u{10400}', '\u{10428}'],
  ])('compares user names by Unicode, not ASCII: %s', async (_, first, second) => {
    const directory = createDirectory();
    await directory.createUser('u1', { userName: first });

    await expect(directory.createUser('u2', { userName: second })).rejects.toMatchObject({ attribute: 'userName' });
  });

  it('gives a userName to one of several users created at once', async () => {
    const directory = createDirectory();

    const results = await Promise.allSettled(
      Array.from({ length: 10 }, (_, index) => directory.createUser(`u${index}`, { userName: 'Ann' })),
    );

    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(results.filter(isUniquenessFailure)).toHaveLength(9);
  });

  it('frees a userName when its user is deleted', async () => {
    const directory = createDirectory();
    await directory.createUser('u1', { userName: 'ann' });
    await directory.delete('User', 'u1');

    await expect(directory.createUser('u2', { userName: 'Ann' })).resolves.toMatchObject({ version: 1 });
  });

  it('allows equal display names of users and of groups', async () => {
    const directory = createDirectory();
    await directory.create('Group', 'g1', { displayName: 'Staff' });
    await directory.create('Group', 'g2', { displayName: 'Staff' });
    await directory.createUser('u1', { displayName: 'Staff' });
    await directory.createUser('u2', { displayName: 'Staff' });

    expect(await directory.groupsWhere('displayName eq "staff"')).toEqual(['g1', 'g2']);
    expect(await directory.usersWhere('displayName eq "staff"')).toEqual(['u1', 'u2']);
  });

  it('rejects a second group with the same folded displayName when asked to', async () => {
    const directory = createDirectory();
    await directory.create('Group', 'g1', { displayName: 'Staff' });

    const create = directory.create('Group', 'g2', { displayName: 'STAFF' }, { uniqueDisplayName: true });

    await expect(create).rejects.toMatchObject({ code: 'UNIQUENESS', type: 'Group', attribute: 'displayName' });
  });

  it('gives a displayName to one of several groups created at once, when asked for', async () => {
    const directory = createDirectory();

    const results = await Promise.allSettled(
      Array.from({ length: 10 }, (_, index) =>
        directory.create('Group', `g${index}`, { displayName: 'Staff' }, { uniqueDisplayName: true }),
      ),
    );

    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(results.filter(isUniquenessFailure)).toHaveLength(9);
  });

  it('answers a repeated create of a group before it looks at display names', async () => {
    const directory = createDirectory();
    const body = { externalId: 'g1', displayName: 'Staff' };
    const first = await directory.create('Group', 'g1', body, { uniqueDisplayName: true });

    const repeated = await directory.create('Group', 'g1', body, { uniqueDisplayName: true });

    expect(repeated).toEqual(first);
  });
}

function describeProviderScope(createDirectory: () => TestDirectory): void {
  it('makes two objects of the same external id in two providers', async () => {
    const one = createDirectory();
    const other = createDirectory();

    await one.createUser('u1', { title: 'one' });
    await other.createUser('u1', { title: 'other' });

    expect(await one.find('User', 'u1')).toMatchObject({ id: one.userId('u1'), attributes: { title: 'one' } });
    expect(await other.find('User', 'u1')).toMatchObject({ id: other.userId('u1'), attributes: { title: 'other' } });
  });

  it('leaves objects of other providers alone when one is changed or deleted', async () => {
    const one = createDirectory();
    const other = createDirectory();
    await one.createUser('u1');
    const untouched = await other.createUser('u1');

    await one.revise('User', 'u1', { externalId: 'u1', userName: 'changed' });
    await one.delete('User', 'u1');

    expect(await other.find('User', 'u1')).toEqual(untouched);
  });

  it('never finds, changes or deletes an object by the full identifier of another provider', async () => {
    const one = createDirectory();
    const other = createDirectory();
    const { id } = await other.createUser('u1');

    expect(await one.find('User', id)).toBeUndefined();
    await expect(one.revise('User', id, { userName: 'x' })).rejects.toMatchObject({ code: 'RESOURCE_NOT_FOUND' });
    await expect(one.delete('User', id)).rejects.toMatchObject({ code: 'RESOURCE_NOT_FOUND' });
  });

  it('keeps users and groups with the same external id apart', async () => {
    const directory = createDirectory();
    await directory.createUser('same');
    await directory.createGroup('same');

    await directory.delete('User', 'same');

    expect(await directory.find('User', 'same')).toBeUndefined();
    expect(await directory.find('Group', 'same')).toMatchObject({ id: directory.groupId('same') });
  });

  it('has nothing of a provider that it never heard of', async () => {
    const directory = createDirectory();

    expect(await directory.find('User', 'u1')).toBeUndefined();
    expect(await directory.list({ type: 'Group' })).toEqual([]);
    await expect(directory.delete('User', 'u1')).rejects.toMatchObject({ code: 'RESOURCE_NOT_FOUND' });
  });
}

function describeFind(createDirectory: () => TestDirectory): void {
  it('finds a resource by full identifier and by external id', async () => {
    const directory = createDirectory();
    const user = await directory.createUser('a:b:c');

    expect(await directory.find('User', 'a:b:c')).toEqual(user);
    expect(await directory.find('User', user.id)).toEqual(user);
  });

  it('finds a resource by the external id that it has now', async () => {
    const directory = createDirectory();
    await directory.createUser('u1');
    const changed = await directory.revise('User', 'u1', { externalId: 'u2', userName: 'u1' });

    expect(await directory.find('User', 'u2')).toEqual(changed);
    expect(changed.id).toBe(directory.userId('u1'));
  });

  it('lets an identifier win over an external id', async () => {
    const directory = createDirectory();
    await directory.createUser('u1');
    await directory.revise('User', 'u1', { externalId: 'u2', userName: 'u1' });
    await directory.create('User', 'generated', { externalId: 'u1', userName: 'second' });

    expect(await directory.find('User', 'u1')).toMatchObject({ id: directory.userId('u1') });
  });

  it('takes an external id that looks like a full identifier for an identifier first', async () => {
    const directory = createDirectory();
    const user = await directory.createUser('u1');
    const lookalike = await directory.createUser(user.id, { userName: 'lookalike' });

    expect(await directory.find('User', user.id)).toEqual(user);
    expect(await directory.find('User', lookalike.id)).toEqual(lookalike);
  });

  it('compares references exactly, with no wildcards and no regard for case or composition', async () => {
    const directory = createDirectory();
    await directory.createUser('Zo\u00e9_1');

    for (const reference of ['zo\u00e9_1', 'Zoe\u0301_1', 'Zo\u00e9%', 'Zo\u00e9x1', '%', '*', ' Zo\u00e9_1', '']) {
      expect(await directory.find('User', reference)).toBeUndefined();
    }
  });

  it.each([
    ['a null character', 'a\0b'],
    ['a lone surrogate', '\ud800'],
    ['256 characters', 'x'.repeat(256)],
    ['a million characters', 'x'.repeat(1_000_000)],
  ])('finds nothing by a reference that no resource can have: %s', async (_, reference) => {
    const directory = createDirectory();
    await directory.createUser('\ufffd');

    expect(await directory.find('User', reference)).toBeUndefined();
  });
}

function isUniquenessFailure(result: PromiseSettledResult<unknown>): boolean {
  return result.status === 'rejected' && result.reason instanceof UniquenessError;
}
