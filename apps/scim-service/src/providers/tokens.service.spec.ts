import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { DEFAULT_PROVIDER_SETTINGS, parseProviderId, ProviderNotFoundError } from '@palisade/domain';
import { digestSecret } from '@palisade/guards';
import { InvalidRequestError } from '@palisade/platform';
import { MemoryStore } from '@palisade/storage';
import { TokenCache } from '../authentication/token-cache.js';
import { TokenEndedError, TokenNotFoundError } from './providers.errors.js';
import { TokensService } from './tokens.service.js';

const acme = parseProviderId('acme');
const NOW = Date.UTC(2026, 10, 3);
const change = { actor: 'ann', at: new Date(NOW) };
const DAY_MS = 86_400_000;

describe(TokensService.name, () => {
  let store: MemoryStore;
  let tokens: TokensService;

  beforeEach(async () => {
    store = new MemoryStore();
    await store.providers.create(acme, { settings: DEFAULT_PROVIDER_SETTINGS }, change);
    tokens = new TokensService(store, new TokenCache(store, () => NOW));
  });

  it('stores the digest of a secret and not the secret', async () => {
    const { secret, token } = await tokens.issue(acme, { kind: 'bearer', description: 'prod' }, change);
    const [stored] = await store.providers.listTokens(acme);
    expect(stored).toEqual(token);
    expect(stored?.digest).toBe(digestSecret(secret));
    expect(JSON.stringify(stored)).not.toContain(secret);
  });

  it('makes a different secret each time', async () => {
    const issued = await Promise.all(Array.from({ length: 50 }, () => tokens.issue(acme, { kind: 'bearer' }, change)));
    expect(new Set(issued.map(({ secret }) => secret)).size).toBe(50);
  });

  it('issues nothing that has ended already', async () => {
    const draft = { kind: 'bearer', expiresAt: new Date(NOW) } as const;
    await expect(tokens.issue(acme, draft, change)).rejects.toThrow(InvalidRequestError);
  });

  it('issues and lists nothing for an unknown provider', async () => {
    const nobody = parseProviderId('nobody');
    await expect(tokens.issue(nobody, { kind: 'bearer' }, change)).rejects.toThrow(ProviderNotFoundError);
    await expect(tokens.list(nobody)).rejects.toThrow(ProviderNotFoundError);
  });

  it('gives the old token the overlap, but not more life than it had', async () => {
    const { token: forever } = await tokens.issue(acme, { kind: 'bearer' }, change);
    const soon = new Date(NOW + 1000);
    const { token: short } = await tokens.issue(acme, { kind: 'bearer', expiresAt: soon }, change);
    await tokens.rotate(acme, forever.id, { overlapSeconds: 60 }, change);
    await tokens.rotate(acme, short.id, { overlapSeconds: 60 }, change);
    const ends = new Map((await tokens.list(acme)).map(({ id, expiresAt }) => [id, expiresAt]));
    expect([ends.get(forever.id), ends.get(short.id)]).toEqual([new Date(NOW + 60_000), soon]);
  });

  it('lets the successor take over kind, description and lifetime', async () => {
    const expiresAt = new Date(NOW + 30 * DAY_MS);
    const { token: old } = await tokens.issue(acme, { kind: 'client', description: 'sync', expiresAt }, change);
    const later = { ...change, at: new Date(NOW + DAY_MS) };
    const { token } = await tokens.rotate(acme, old.id, { overlapSeconds: 0 }, later);
    expect(token).toMatchObject({ kind: 'client', description: 'sync', expiresAt: new Date(NOW + 31 * DAY_MS) });
  });

  it('rotates nothing that has ended, and nothing that does not exist', async () => {
    const { token } = await tokens.issue(acme, { kind: 'bearer' }, change);
    await tokens.revoke(acme, token.id, change);
    await expect(tokens.rotate(acme, token.id, { overlapSeconds: 0 }, change)).rejects.toThrow(TokenEndedError);
    await expect(tokens.rotate(acme, 'made-up', { overlapSeconds: 0 }, change)).rejects.toThrow(TokenNotFoundError);
  });

  it('leaves the old token alone when the successor cannot be stored', async () => {
    const { token } = await tokens.issue(acme, { kind: 'bearer' }, change);
    jest.spyOn(store.providers, 'addToken').mockRejectedValueOnce(new Error('full'));
    await expect(tokens.rotate(acme, token.id, { overlapSeconds: 0 }, change)).rejects.toThrow('full');
    const [stored] = await tokens.list(acme);
    expect(stored?.expiresAt).toBeUndefined();
  });

  it('keeps the time of the first revocation', async () => {
    const { token } = await tokens.issue(acme, { kind: 'bearer' }, change);
    await tokens.revoke(acme, token.id, change);
    await tokens.revoke(acme, token.id, { ...change, at: new Date(NOW + 1000) });
    const [stored] = await tokens.list(acme);
    expect(stored?.revokedAt).toEqual(new Date(NOW));
  });
});
