import { describe, expect, it } from '@jest/globals';
import { parseTenantId, type PoolName } from '@palisade/domain';
import { PREMIUM, STANDARD, tenant } from '../../../test/support/routing-settings.js';
import { TenantDirectory } from './tenant-directory.js';

function add(directory: TenantDirectory, id: string, ...pools: readonly PoolName[]): void {
  const placement = { deployment: 'multi_tenant', connectionPools: {}, resourceLimits: {} } as const;
  directory.set({ tenant: tenant(id, [id]), placement, pools: new Set(pools) });
}

function directoryOf(...ids: readonly string[]): TenantDirectory {
  const directory = new TenantDirectory();
  ids.forEach((id) => add(directory, id, STANDARD));
  return directory;
}

const idsOf = (directory: TenantDirectory, search: Parameters<TenantDirectory['list']>[0]) =>
  directory.list(search).map((placed) => String(placed.tenant.id));

describe(TenantDirectory.name, () => {
  it('lists in order of id, page by page', () => {
    const directory = directoryOf('c', 'a', 'b', 'd');
    expect(idsOf(directory, { limit: 2 })).toEqual(['a', 'b']);
    expect(idsOf(directory, { limit: 3, after: parseTenantId('b') })).toEqual(['c', 'd']);
  });

  it('reads on behind a tenant that is gone', () => {
    const directory = directoryOf('a', 'b', 'c');
    directory.delete(parseTenantId('b'));
    expect(idsOf(directory, { limit: 9, after: parseTenantId('b') })).toEqual(['c']);
  });

  it('lists a tenant once that went and came back', () => {
    const directory = directoryOf('a', 'b');
    directory.delete(parseTenantId('a'));
    add(directory, 'a', STANDARD);
    expect(idsOf(directory, { limit: 9 })).toEqual(['a', 'b']);
  });

  it('finds those who may be in a pool', () => {
    const directory = directoryOf('a', 'b');
    add(directory, 'b', PREMIUM);
    add(directory, 'c', PREMIUM, STANDARD);
    expect(idsOf(directory, { pool: PREMIUM, limit: 9 })).toEqual(['b', 'c']);
  });

  it('forgets pools that have nobody', () => {
    const directory = directoryOf('a');
    directory.delete(parseTenantId('a'));
    directory.delete(parseTenantId('a'));
    expect([...directory.pools(), directory.size]).toEqual([0]);
  });
});
