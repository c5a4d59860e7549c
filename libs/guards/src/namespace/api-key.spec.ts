import { describe, expect, it } from '@jest/globals';
import { parseNamespaceId } from '@palisade/domain';
import { type ApiKey, apiKeyDirectory, ApiKeyIdentifier, createApiKey } from './api-key.js';

const NOW = Date.UTC(2026, 10, 3);

function createKey(overrides: Partial<ApiKey> = {}) {
  const { key, ...kept } = createApiKey();
  const record: ApiKey = { ...kept, namespace: parseNamespaceId('acme'), ...overrides };
  return { key, record, identifier: new ApiKeyIdentifier(apiKeyDirectory([record])) };
}

describe(ApiKeyIdentifier.name, () => {
  it('tells whose a key is', async () => {
    const { key, record, identifier } = createKey({ userId: 'ann@example.com' });
    await expect(identifier.identify(key, NOW)).resolves.toEqual({
      method: 'api_key',
      namespaces: ['acme'],
      clientId: `api-key:${record.id}`,
      userId: 'ann@example.com',
    });
  });

  it.each([
    ['another secret', (key: string) => `${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`],
    ['a longer secret', (key: string) => `${key}A`],
    ['the id of another key', (key: string) => key.replace(/^pk_[a-z0-9]+/, 'pk_0123456789abcdef')],
  ])('rejects a key with %s', async (_, change) => {
    const { key, identifier } = createKey();
    await expect(identifier.identify(change(key), NOW)).resolves.toBe('invalid');
  });

  it.each([
    '',
    'pk_',
    'pk__secret',
    'sk_0123456789abcdef_'.padEnd(60, 'a'),
    'pk_0123456789abcdef_short',
    'pk_UPPER123_'.padEnd(60, 'a'),
  ])('takes %j for no key', async (text) => {
    await expect(createKey().identifier.identify(text, NOW)).resolves.toBe('malformed');
  });

  it.each(['\n', ' ', ', pk_x', '\u0000'])('takes a key with %j behind it for no key', async (tail) => {
    const { key, identifier } = createKey();
    await expect(identifier.identify(key + tail, NOW)).resolves.toBe('malformed');
  });

  it('rejects a key from the moment of its end', async () => {
    const { key, identifier } = createKey({ expiresAt: new Date(NOW) });
    await expect(identifier.identify(key, NOW - 1)).resolves.toMatchObject({ method: 'api_key' });
    await expect(identifier.identify(key, NOW)).resolves.toBe('expired');
  });

  it('does not tell whoever has not the secret that a key has ended', async () => {
    const { key, identifier } = createKey({ expiresAt: new Date(NOW) });
    await expect(identifier.identify(`${key}A`, NOW)).resolves.toBe('invalid');
  });

  it('rejects what a directory gives for another id', async () => {
    const { key, record } = createKey();
    const confused = new ApiKeyIdentifier({ find: () => ({ ...record, id: 'another1' }) });
    await expect(confused.identify(key, NOW)).resolves.toBe('invalid');
  });

  it('rejects every key when a directory keeps no digest', async () => {
    const { key, record } = createKey();
    const careless = new ApiKeyIdentifier({ find: () => ({ ...record, digest: '' }) });
    await expect(careless.identify(key, NOW)).resolves.toBe('invalid');
  });
});

describe(createApiKey.name, () => {
  it('makes keys of their own, and keeps no secret of them', () => {
    const [first, second] = [createApiKey(), createApiKey()];
    expect(first.key).not.toBe(second.key);
    expect(first.key.length).toBeGreaterThan(60);
    expect(JSON.stringify([first.id, first.digest])).not.toContain(first.key.split('_')[2]);
  });
});

describe(apiKeyDirectory.name, () => {
  const { record } = createKey();

  it.each([
    ['the same id twice', [record, record]],
    ['an id of another form', [{ ...record, id: 'A' }]],
    ['a key instead of a digest', [{ ...record, digest: 'pk_0123456789abcdef_secret' }]],
  ])('rejects %s, and tells no digest', (_, keys) => {
    expect(() => apiKeyDirectory(keys)).toThrow(TypeError);
    expect(() => apiKeyDirectory(keys)).not.toThrow(record.digest);
  });

  it('finds nothing that every object has', () => {
    expect(apiKeyDirectory([record]).find('constructor')).toBeUndefined();
  });
});
