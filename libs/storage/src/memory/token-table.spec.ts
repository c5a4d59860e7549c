import { describe, expect, it } from '@jest/globals';
import { parseProviderId, type ProviderToken } from '@palisade/domain';
import { TokenTable } from './token-table.js';

const provider = parseProviderId('p');

function tokenOf(id: string): ProviderToken {
  return { id, provider, kind: 'bearer', digest: `digest of ${id}`, hint: 'wxyz', createdAt: new Date(0) };
}

describe(TokenTable.name, () => {
  it('gives the latest state of a token, however it is looked for', () => {
    const table = new TokenTable();
    table.set(tokenOf('t1'));
    const used = { ...tokenOf('t1'), lastUsedAt: new Date(1) };

    table.set(used);

    expect(table.findById('t1')).toBe(used);
    expect(table.findByDigest('digest of t1')).toBe(used);
    expect(table.find(provider, 't1')).toBe(used);
    expect(table.ofProvider(provider)).toEqual([used]);
  });

  it('keeps nothing of a provider whose tokens are deleted', () => {
    const table = new TokenTable();
    table.set(tokenOf('t1'));
    table.set(tokenOf('t2'));

    table.deleteAllOf(provider);

    expect(table).toEqual(new TokenTable());
  });
});
