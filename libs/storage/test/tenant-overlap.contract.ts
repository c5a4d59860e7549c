import { describe, expect, it } from '@jest/globals';
import type { Store } from '@palisade/domain';
import { TestTenants } from './support/tenancy-samples.js';

/** A namespace belongs to one tenant at most. */
export function describeTenantOverlapContract(store: () => Store): void {
  describe('namespaces of tenants', () => {
    describe('patterns that share a namespace', () => describeOverlaps(store));
    describe('patterns that do not', () => describeNeighbours(store));
    describe('patterns that are costly', () => describeBound(store));
    describe('changes at once', () => describeRaces(store));
  });
}

/** Each shares a namespace with the other; all begin with the prefix of the test. */
const OVERLAPPING: readonly (readonly [string, string])[] = [
  ['-a', '-a'],
  ['-a*', '-a'],
  ['-a*', '-ab'],
  ['-a*', '-a*'],
  ['-a*', '-abc*'],
  ['*', '-abc'],
  ['-a?', '-ab'],
  ['-a?c', '-a*c'],
  ['-a*z', '-ab*'],
  ['-*x', '-y*'],
  ['-*-prod', '-a-prod'],
  ['-?', '-*'],
];

/** None shares a namespace with the other, though most begin alike. */
const APART: readonly (readonly [string, string])[] = [
  ['-a', '-b'],
  ['-a', '-ab'],
  ['-a*', '-b*'],
  ['-ab*', '-a'],
  ['-a?', '-a'],
  ['-a?', '-abc'],
  ['-*x', '-*y'],
  ['-a?c', '-a?d'],
  ['-*-prod', '-a-test'],
];

function describeOverlaps(store: () => Store): void {
  it.each(OVERLAPPING.flatMap(([a, b]) => [[a, b] as const, [b, a] as const]))(
    'rejects %j beside %j of another tenant, naming both',
    async (pattern, other) => {
      const tenants = new TestTenants(store());
      await tenants.register('other', [other]);

      const registration = tenants.register('a', [pattern]);

      await expect(registration).rejects.toMatchObject({
        code: 'NAMESPACE_OVERLAP',
        pattern: tenants.prefix + pattern,
        other: { tenant: tenants.id('other'), pattern: tenants.prefix + other },
      });
      expect(await tenants.find('a')).toBeUndefined();
    },
  );

  it('finds the one pattern of many that overlaps with one of many others', async () => {
    const tenants = new TestTenants(store());
    await tenants.register('other', ['-o1', '-o2*', '-o3-*-x', '-shared*']);

    await expect(tenants.register('a', ['-a1', '-a2*', '-a3-*-x', '-shared-?'])).rejects.toMatchObject({
      pattern: `${tenants.prefix}-shared-?`,
      other: { pattern: `${tenants.prefix}-shared*` },
    });
  });

  it('lets patterns of one tenant overlap', async () => {
    const tenants = new TestTenants(store());

    await tenants.register('a', ['-*', '-a', '-a*', '-?']);

    expect(await tenants.replace('a', ['-*', '-b', '-a*', '-??'])).toMatchObject({ version: 2 });
  });

  it('rejects a replacement that overlaps and leaves the tenant as it is', async () => {
    const tenants = new TestTenants(store());
    await tenants.register('other', ['-b*']);
    const { tenant } = await tenants.register('a', ['-a']);

    await expect(tenants.replace('a', ['-a', '-bc'])).rejects.toMatchObject({ code: 'NAMESPACE_OVERLAP' });
    expect(await tenants.find('a')).toEqual(tenant);
  });

  it('frees the namespaces that a replacement leaves out, and keeps the others', async () => {
    const tenants = new TestTenants(store());
    await tenants.register('a', ['-a', '-b', '-c?']);

    await tenants.replace('a', ['-b']);

    await tenants.register('b', ['-a', '-cd']);
    await expect(tenants.register('c', ['-b'])).rejects.toMatchObject({ code: 'NAMESPACE_OVERLAP' });
  });
}

function describeNeighbours(store: () => Store): void {
  it.each(APART.flatMap(([a, b]) => [[a, b] as const, [b, a] as const]))('accepts %j beside %j', async (a, b) => {
    const tenants = new TestTenants(store());
    await tenants.register('a', [a]);

    expect(await tenants.register('b', [b])).toMatchObject({ registered: true });
  });

  it('finds the one overlap among thousands of names that begin alike', async () => {
    const tenants = new TestTenants(store());
    const names = Array.from({ length: 2500 }, (_, index) => `-n${index}`);
    await tenants.register('other', [...names, '-zz']);

    await expect(tenants.register('a', ['-?z'])).rejects.toMatchObject({
      code: 'NAMESPACE_OVERLAP',
      other: { pattern: `${tenants.prefix}-zz` },
    });
    expect(await tenants.register('b', ['-?y'])).toMatchObject({ registered: true });
  });
}

function describeBound(store: () => Store): void {
  const wildcards = (count: number, letter: string) => Array.from({ length: count }, (_, i) => `-${letter}${i}-*-x`);

  it('bounds how many there are, of all tenants together', async () => {
    const tenants = new TestTenants(store());
    await tenants.register('a', wildcards(900, 'a'));

    const tooMany = tenants.register('b', wildcards(101, 'b'));
    await expect(tooMany).rejects.toMatchObject({ code: 'TOO_MANY_PATTERNS', limit: 1000 });
    await tenants.register('b', ['-b']);
    await expect(tenants.replace('b', wildcards(101, 'b'))).rejects.toMatchObject({ code: 'TOO_MANY_PATTERNS' });

    expect(await tenants.replace('a', wildcards(900, 'c'))).toMatchObject({ version: 2 });
    await tenants.replace('a', ['-a']);
    expect(await tenants.replace('b', wildcards(101, 'b'))).toMatchObject({ version: 2 });
    await tenants.remove('b');
  });

  it('bounds neither names nor prefixes', async () => {
    const tenants = new TestTenants(store());
    const names = Array.from({ length: 1001 }, (_, i) => [`-n${i}`, `-p${i}-*`]).flat();

    expect(await tenants.register('a', names)).toMatchObject({ registered: true });
  });
}

function describeRaces(store: () => Store): void {
  it('registers exactly one of overlapping tenants', async () => {
    const tenants = new TestTenants(store());
    const patterns = ['-a*', '-ab', '-a?', '-*', '-ab*', '-a*b'];

    const results = await Promise.allSettled(patterns.map((pattern, i) => tenants.register(`t${i}`, [pattern])));

    const failures = results.filter((result) => result.status === 'rejected').map(({ reason }) => reason.code);
    expect(failures).toEqual(Array.from({ length: 5 }, () => 'NAMESPACE_OVERLAP'));
  });

  it('lets one of two tenants take what both extend to', async () => {
    const tenants = new TestTenants(store());
    await tenants.register('a', ['-a']);
    await tenants.register('b', ['-b']);

    const results = await Promise.allSettled([
      tenants.replace('a', ['-a', '-shared*']),
      tenants.replace('b', ['-b', '-shared-b']),
    ]);

    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });
}
