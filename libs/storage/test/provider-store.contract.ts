import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { DEFAULT_PROVIDER_SETTINGS, type ProviderId, type ProviderSettings, type Store } from '@palisade/domain';
import { createProvider, tokenOf } from './support/provider-samples.js';
import { BADGE_EXTENSION } from './support/badge-extension.js';
import { changeAt, freshNamespace, freshProvider } from './support/store-harness.js';
import { TestDirectory } from './support/test-directory.js';

/** Identity providers, their tokens and the signing key. */
export function describeProviderStoreContract(store: () => Store): void {
  describe('providers', () => {
    describe('create, update and find', () => describeProviders(store));
    describe('list', () => describeProviderList(store));
    describe('delete', () => describeProviderDeletion(store));
  });
}

const SETTINGS: ProviderSettings = {
  dialect: 'entra',
  repeatCreate: 'conflict',
  unknownMembers: 'accept',
  extensions: [BADGE_EXTENSION],
  trustedIssuers: [],
};

function describeProviders(store: () => Store): void {
  it('keeps what it was created with', async () => {
    const id = freshProvider();

    const created = await store().providers.create(id, { displayName: 'Acme', settings: SETTINGS }, changeAt(3));

    const at = new Date('2026-01-01T00:00:03Z');
    expect(created).toEqual({ id, displayName: 'Acme', settings: SETTINGS, createdAt: at, modifiedAt: at });
    expect(await store().providers.find(id)).toEqual(created);
  });

  it('rejects a second provider with the same id', async () => {
    const id = await createProvider(store());

    const create = store().providers.create(id, { settings: SETTINGS }, changeAt(1));

    await expect(create).rejects.toMatchObject({ code: 'PROVIDER_EXISTS', provider: id });
    expect((await store().providers.find(id))?.settings).toEqual(DEFAULT_PROVIDER_SETTINGS);
  });

  it('creates one of parallel providers with the same id', async () => {
    const id = freshProvider();

    const results = await Promise.allSettled(Array.from({ length: 5 }, () => createProvider(store(), id)));

    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('replaces display name and settings', async () => {
    const id = freshProvider();
    await store().providers.create(id, { displayName: 'Acme', settings: SETTINGS }, changeAt(0));

    const updated = await store().providers.update(id, { settings: DEFAULT_PROVIDER_SETTINGS }, changeAt(5));

    expect(updated).toEqual({
      id,
      settings: DEFAULT_PROVIDER_SETTINGS,
      createdAt: new Date('2026-01-01T00:00:00Z'),
      modifiedAt: new Date('2026-01-01T00:00:05Z'),
    });
    expect(await store().providers.find(id)).toEqual(updated);
  });

  it('leaves modifiedAt alone when an update changes nothing', async () => {
    const id = freshProvider();
    const created = await store().providers.create(id, { displayName: 'Acme', settings: SETTINGS }, changeAt(0));

    const draft = { displayName: 'Acme', settings: structuredClone(SETTINGS) };

    expect(await store().providers.update(id, draft, changeAt(5))).toEqual(created);
  });

  it('fails to update a provider that does not exist', async () => {
    const id = freshProvider();

    await expect(store().providers.update(id, { settings: SETTINGS }, changeAt(0))).rejects.toMatchObject({
      code: 'PROVIDER_NOT_FOUND',
      provider: id,
    });
  });

  it('finds nothing under an id that no provider has', async () => {
    expect(await store().providers.find(freshProvider())).toBeUndefined();
  });

  it('finds the providers that trust an issuer', async () => {
    const issuer = `https://issuer.example/${randomUUID()}`;
    const trusted = { issuer, audience: 'scim', jwksUri: 'https://issuer.example/jwks', role: 'provisioner' } as const;
    const [first, second] = [freshProvider(), freshProvider()].sort() as [ProviderId, ProviderId];
    const other = { ...trusted, issuer: 'https://other.example' };
    await store().providers.create(
      second,
      { settings: { ...SETTINGS, trustedIssuers: [other, trusted] } },
      changeAt(0),
    );
    await store().providers.create(first, { settings: { ...SETTINGS, trustedIssuers: [trusted] } }, changeAt(0));
    await createProvider(store());

    const found = await store().providers.findByIssuer(issuer);

    expect(found.map(({ id }) => id)).toEqual([first, second]);
    expect(await store().providers.findByIssuer(`${issuer}/`)).toEqual([]);
    expect(await store().providers.findByIssuer('%')).toEqual([]);
  });
}

function describeProviderList(store: () => Store): void {
  it('lists by id, by code point, after a given one', async () => {
    const prefix = freshProvider();
    const ids = [`${prefix}-b`, `${prefix}0`, `${prefix}a`] as ProviderId[];
    for (const id of ids.toReversed()) {
      await createProvider(store(), id);
    }

    const first = await store().providers.list({ after: prefix, limit: 2 });
    const second = await store().providers.list({ after: first.at(-1)?.id, limit: 1 });

    expect([...first, ...second].map(({ id }) => id)).toEqual(ids);
  });
}

function describeProviderDeletion(store: () => Store): void {
  it('lets nothing be created in it afterwards where the provider must be registered', async () => {
    const id = await createProvider(store());
    const directory = new TestDirectory(store(), id);
    await store().providers.delete(id, changeAt(1));

    const create = directory.create(
      'User',
      'late',
      { externalId: 'late', userName: 'late' },
      { registeredProvider: true },
    );

    await expect(create).rejects.toMatchObject({ code: 'PROVIDER_NOT_FOUND' });
    expect(await directory.find('User', 'late')).toBeUndefined();
  });

  it('removes the provider with its tokens, users, groups and memberships', async () => {
    const directory = new TestDirectory(store(), await createProvider(store()));
    const token = tokenOf(directory.provider);
    await store().providers.addToken(token, changeAt(0));
    const ann = await directory.createUser('ann');
    await directory.createGroup('g1', [ann.id]);

    await store().providers.delete(directory.provider, changeAt(1));

    expect(await store().providers.find(directory.provider)).toBeUndefined();
    expect(await store().providers.findTokenByDigest(token.digest)).toBeUndefined();
    expect(await store().providers.listTokens(directory.provider)).toEqual([]);
    expect(await directory.find('User', 'ann')).toBeUndefined();
    expect(await directory.list({ type: 'Group' })).toEqual([]);
  });

  it('suspends the bindings of its groups', async () => {
    const directory = new TestDirectory(store(), await createProvider(store()));
    const group = await directory.createGroup('g1');
    const namespace = freshNamespace();
    const binding = { namespace, boundSubject: group.id, relation: 'read', source: 'manual', approvedBy: 'x' } as const;
    await store().bindings.add(binding, changeAt(0));

    await store().providers.delete(directory.provider, changeAt(1));

    expect(await store().bindings.list({ namespace, limit: 10 })).toMatchObject([{ state: 'suspended' }]);
  });

  it('gives a re-created provider nothing of the former one', async () => {
    const directory = new TestDirectory(store(), await createProvider(store()));
    const ann = await directory.createUser('ann');
    await directory.createGroup('g1', [ann.id]);
    await store().providers.delete(directory.provider, changeAt(1));

    await createProvider(store(), directory.provider);
    await directory.createUser('ann');
    await directory.createGroup('g1');

    expect((await directory.find('User', 'ann', { groups: true }))?.groups).toEqual([]);
  });

  it('leaves other providers alone', async () => {
    const id = await createProvider(store());
    const other = new TestDirectory(store(), await createProvider(store()));
    const ann = await other.createUser('ann');

    await store().providers.delete(id, changeAt(1));

    expect(await other.find('User', 'ann')).toEqual(ann);
  });

  it('fails when there is no such provider', async () => {
    await expect(store().providers.delete(freshProvider(), changeAt(0))).rejects.toMatchObject({
      code: 'PROVIDER_NOT_FOUND',
    });
  });
}
