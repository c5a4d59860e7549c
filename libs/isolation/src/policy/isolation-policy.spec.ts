import { describe, expect, it } from '@jest/globals';
import { type CompletePolicy, parseNamespaceId, type PolicyChange, type TenantPolicy } from '@palisade/domain';
import { SYSTEM_CLOCK } from '@palisade/async';
import { FakeDriver } from '../../test/support/fake-driver.js';
import type { IsolationOptions } from '../isolation-options.js';
import { IsolationPolicy } from './isolation-policy.js';
import { PolicyRejectedError } from './policy.errors.js';

const ACME = parseNamespaceId('acme');
const BOLT = parseNamespaceId('bolt');

const OWN = {
  isolation_level: 'namespace',
  connection_pools: { per_namespace: true, fake: { max_connections: 10, connections_per_namespace: 4 } },
};

function createPolicy(options: Partial<IsolationOptions> = {}): IsolationPolicy {
  return new IsolationPolicy({
    settings: OWN,
    backends: { fake: new FakeDriver({ clock: SYSTEM_CLOCK }) },
    proxyPool: 'standard',
    ...options,
  });
}

function complete(...tenants: TenantPolicy[]): CompletePolicy {
  return { revision: 5, configuration: 'c1', pool: 'standard', settings: {}, tenants };
}

function change(given: Partial<PolicyChange>): PolicyChange {
  return { from: 5, revision: 6, tenants: [], removed: [], ...given };
}

function tenant(id: string, given: Partial<TenantPolicy> = {}): TenantPolicy {
  return { tenant_id: id, namespaces: [id], ...given };
}

function problemsOf(act: () => void): readonly string[] {
  try {
    act();
    return [];
  } catch (error) {
    return error instanceof PolicyRejectedError ? error.problems : [String(error)];
  }
}

describe(IsolationPolicy.name, () => {
  it('takes its own settings for the policy of every namespace when it runs alone', () => {
    const policy = createPolicy({ proxyPool: undefined });
    expect(policy.termsOf(ACME)).toEqual({ level: 'namespace', resources: {} });
    expect([policy.revision, policy.tenantOf(ACME)]).toEqual([undefined, undefined]);
  });

  it('serves nothing before it was told a policy', () => {
    const policy = createPolicy();
    expect(() => policy.termsOf(ACME)).toThrow(expect.objectContaining({ code: 'NO_POLICY' }));
    expect(policy.findTerms(ACME)).toBeUndefined();
  });

  it('serves the namespaces of its tenants, and no others', () => {
    const policy = createPolicy();
    policy.apply(complete(tenant('acme')));
    expect(policy.termsOf(ACME)).toMatchObject({ tenantId: 'acme', level: 'namespace' });
    expect(() => policy.termsOf(BOLT)).toThrow(expect.objectContaining({ code: 'NAMESPACE_NOT_SERVED' }));
  });

  it('finds the tenant of a namespace as the control plane does', () => {
    const policy = createPolicy();
    policy.apply(
      complete(
        tenant('all', { namespaces: ['*'] }),
        tenant('eu', { namespaces: ['*-eu'] }),
        tenant('acme', { namespaces: ['acme-*'] }),
        tenant('one', { namespaces: ['acme-eu'] }),
      ),
    );
    const owners = ['acme-eu', 'acme-us', 'bolt-eu', 'bolt'].map((name) => policy.tenantOf(parseNamespaceId(name)));
    expect(owners).toEqual(['one', 'acme', 'eu', 'all']);
  });

  it('puts what a tenant has of its own above what the pool has, and that above its own settings', () => {
    const policy = createPolicy();
    const settings = {
      isolation_level: 'session',
      connection_pools: { fake: { max_total_connections: 20, namespaces: { bolt: { weight: 3 } } } },
      resource_limits: { per_namespace: { max_rps: 5, memory: '1Mi' }, namespaces: { bolt: { max_rps: 7 } } },
    };
    const own = {
      isolation_level: 'namespace',
      connection_pools: { fake: { connections_per_namespace: 9, per_session_limit: 2 } },
      resource_limits: { max_rps: 50 },
    } as const;
    policy.apply({ ...complete(tenant('acme', own), tenant('bolt')), settings });
    expect(policy.termsOf(ACME)).toMatchObject({ level: 'namespace', resources: { maxRps: 50, bytes: 1_048_576 } });
    expect(policy.termsOf(BOLT)).toMatchObject({ level: 'session', resources: { maxRps: 7, bytes: 1_048_576 } });
    expect([policy.limitsOf('fake', ACME), policy.limitsOf('fake', BOLT)]).toEqual([
      { max: 9, reserved: 0, weight: 1, perSessionLimit: 2 },
      { max: 4, reserved: 0, weight: 3, perSessionLimit: 1 },
    ]);
    expect(policy.settings.pools.get('fake')?.maxTotal).toBe(20);
  });

  it('lets a namespace have what is reserved for it, although its tenant may have less', () => {
    const policy = createPolicy();
    const settings = { connection_pools: { fake: { namespaces: { acme: { reserved_connections: 3 } } } } };
    policy.apply({
      ...complete(tenant('acme', { connection_pools: { fake: { connections_per_namespace: 2 } } })),
      settings,
    });
    expect(policy.limitsOf('fake', ACME)).toMatchObject({ max: 3, reserved: 3 });
  });

  it('tells of each policy that has come into force', () => {
    const policy = createPolicy();
    const revisions: (number | undefined)[] = [];
    const listening = policy.onChange(() => revisions.push(policy.revision));
    policy.apply(complete());
    problemsOf(() => policy.change(change({ from: 4 })));
    policy.change(change({}));
    listening[Symbol.dispose]();
    policy.change(change({ from: 6, revision: 7 }));
    expect(revisions).toEqual([5, 6]);
  });

  it('adds, changes and removes tenants, and lets a pattern pass from one to another', () => {
    const policy = createPolicy();
    policy.apply(complete(tenant('acme', { namespaces: ['acme', 'shop-*'] }), tenant('bolt')));
    const moved = [tenant('acme', { isolation_level: 'session' }), tenant('shop', { namespaces: ['shop-*'] })];
    policy.change(change({ tenants: moved, removed: ['bolt', 'unknown'] }));
    expect([policy.termsOf(ACME).level, policy.tenantOf(parseNamespaceId('shop-1'))]).toEqual(['session', 'shop']);
    expect([policy.findTerms(BOLT), policy.revision, policy.tenants]).toEqual([undefined, 6, 2]);
  });

  it.each<[string, unknown, string]>([
    ['no document', undefined, 'expected an object'],
    ['a key that it does not know', { ...complete(), quota: 1 }, 'quota: unknown key'],
    [
      'a key of a tenant that it does not know',
      complete({ ...tenant('acme'), tier: 1 } as never),
      'tenants[0].tier: unknown key',
    ],
    ['a prototype key', JSON.parse('{"tenants": [{"__proto__": {}}]}'), 'tenants[0].__proto__: unknown key'],
    ['a revision that is no number', { ...complete(), revision: NaN }, 'revision: expected an integer'],
    ['a revision beyond all', { ...complete(), revision: 2 ** 60 }, 'revision: expected an integer'],
    ['no configuration', { ...complete(), configuration: undefined }, 'configuration: expected a digest'],
    ['another pool', { ...complete(), pool: 'premium' }, 'pool: expected "standard", found "premium"'],
    [
      'a pattern that two tenants claim',
      complete(tenant('acme'), tenant('bolt', { namespaces: ['acme'] })),
      'tenants[1].namespaces[0]: "acme" belongs to tenant "acme" already',
    ],
    [
      'a tenant that is there twice',
      complete(tenant('acme'), tenant('acme', { namespaces: ['bolt'] })),
      'tenants[1].tenant_id: "acme" is there twice',
    ],
    [
      'a tenant without a namespace',
      complete(tenant('acme', { namespaces: [] })),
      'tenants[0].namespaces: expected one at least',
    ],
    [
      'a pattern that none can match',
      complete(tenant('acme', { namespaces: ['A'] })),
      'tenants[0].namespaces[0]: expected a namespace or pattern',
    ],
    [
      'more costly patterns than there may be',
      complete(tenant('acme', { namespaces: Array.from({ length: 1001 }, (_, index) => `*-${index}`) })),
      'tenants: expected at most 1000 patterns',
    ],
    [
      'a level that there is not',
      complete(tenant('acme', { isolation_level: 'cell' as never })),
      'tenants[0].isolation_level: expected none, namespace or session',
    ],
    [
      'a limit above the cap',
      complete(tenant('acme', { connection_pools: { fake: { connections_per_namespace: 11 } } })),
      'tenants[0].connection_pools.fake.connections_per_namespace: expected at most the cap (10), found 11',
    ],
    [
      'a limit of sessions above the cap',
      complete(tenant('acme', { connection_pools: { fake: { per_session_limit: 11 } } })),
      'tenants[0].connection_pools.fake.per_session_limit: expected at most the cap (10), found 11',
    ],
    [
      'a cap of a tenant',
      complete(tenant('acme', { connection_pools: { fake: { max_connections: 2 } } })),
      'tenants[0].connection_pools.fake.max_connections: unknown key',
    ],
    [
      'a limit of CPU time that it does not measure',
      complete(tenant('acme', { resource_limits: { cpu: 1 } })),
      'tenants[0].resource_limits.cpu: expected none',
    ],
    [
      'the demand to measure CPU time, which it does not',
      { ...complete(), settings: { usage: { cpu: true } } },
      'settings.usage.cpu: expected false, as this process does not measure CPU time',
    ],
    [
      'a cap that is none',
      { ...complete(), settings: { connection_pools: { fake: { max_connections: 0 } } } },
      'settings.connection_pools.fake.max_connections: expected an integer',
    ],
    [
      'a cap below its parts',
      { ...complete(), settings: { connection_pools: { fake: { max_connections: 3 } } } },
      'settings.connection_pools.fake.connections_per_namespace: expected at most the cap (3), found 4',
    ],
    ['settings that are none', { ...complete(), settings: [] }, 'settings: expected an object'],
    [
      'records without a sink',
      { ...complete(), settings: { audit: { log_actions: true } } },
      'settings.audit.log_actions: expected false',
    ],
  ])('rejects a policy with %s, and keeps the one before', (_, document, problem) => {
    const policy = createPolicy();
    policy.apply({ ...complete(tenant('bolt')), revision: 4 });
    expect(problemsOf(() => policy.apply(document as CompletePolicy))[0]).toContain(problem);
    expect([policy.revision, policy.tenantOf(BOLT), policy.findTerms(ACME)]).toEqual([4, 'bolt', undefined]);
  });

  it.each<[string, PolicyChange, string]>([
    ['another revision', change({ from: 4 }), 'from: expected 5, which is in force, found 4'],
    ['a later revision', change({ from: 6, revision: 7 }), 'from: expected 5'],
    ['a revision to an earlier one', change({ revision: 4 }), 'revision: expected 5 at least, found 4'],
    [
      'a tenant that it also removes',
      change({ tenants: [tenant('acme')], removed: ['acme'] }),
      'tenants[0].tenant_id: "acme" is there twice',
    ],
    [
      'a pattern that another tenant keeps',
      change({ tenants: [tenant('acme', { namespaces: ['bolt'] })] }),
      'tenants[0].namespaces[0]: "bolt" belongs to tenant "bolt" already',
    ],
    [
      'a good tenant and a bad one',
      change({ tenants: [tenant('acme'), tenant('cog', { isolation_level: 'x' as never })] }),
      'tenants[1].isolation_level',
    ],
  ])('rejects a change of %s, and changes nothing', (_, document, problem) => {
    const policy = createPolicy();
    policy.apply(complete(tenant('bolt')));
    expect(problemsOf(() => policy.change(document))[0]).toContain(problem);
    expect([policy.revision, policy.tenants, policy.findTerms(ACME)]).toEqual([5, 1, undefined]);
  });

  it('[limits of a backend that it does not have] leaves them to the proxies that have it', () => {
    const policy = createPolicy();
    const own = { fake: { connections_per_namespace: 3 }, redis: { connections_per_namespace: 99 } };
    policy.apply({
      ...complete(tenant('acme', { connection_pools: own })),
      settings: { connection_pools: { redis: { max_total_connections: 5 }, fake: { max_total_connections: 8 } } },
    });
    expect([...policy.settings.pools.keys()]).toEqual(['fake']);
    expect([policy.settings.pools.get('fake')?.maxTotal, policy.limitsOf('fake', ACME).max]).toEqual([8, 3]);
  });

  it('rejects a change before there is a policy', () => {
    expect(problemsOf(() => createPolicy().change(change({})))).toEqual(['expected a complete policy first']);
  });

  it('goes back to an earlier revision only for another configuration, or a store that was restored', () => {
    const policy = createPolicy();
    policy.apply(complete());
    expect(problemsOf(() => policy.apply({ ...complete(), revision: 4 }))).toEqual([
      'revision: expected 5 at least, which is in force, found 4',
    ]);
    policy.apply({ ...complete(), revision: 4, restored: true });
    policy.apply({ ...complete(), revision: 3, configuration: 'c2' });
    expect([policy.revision, policy.configuration]).toEqual([3, 'c2']);
  });

  it('rejects shared connections where each namespace has a login of its own', () => {
    const driver = Object.assign(new FakeDriver({ clock: SYSTEM_CLOCK }), { isPerNamespace: true });
    const policy = createPolicy({ backends: { fake: driver } });
    const problem = 'isolation_level: expected namespace or session, as each namespace has its own login at fake';
    expect(problemsOf(() => policy.apply(complete(tenant('acme', { isolation_level: 'none' }))))).toEqual([
      `tenants[0].${problem}`,
    ]);
    expect(problemsOf(() => policy.apply({ ...complete(), settings: { isolation_level: 'none' } }))).toEqual([
      `settings.${problem}`,
    ]);
  });
});
