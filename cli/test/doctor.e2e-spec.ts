import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  parseNamespacePattern,
  parsePoolName,
  parseProxyId,
  parseTenantId,
  StoreUnavailableError,
  type HeldLease,
} from '@palisade/domain';
import { Services } from './support/services.js';

interface Finding {
  readonly check: string;
  readonly level: string;
  readonly text: string;
  readonly advice?: string;
}

describe('palisade doctor', () => {
  let services: Services;
  beforeEach(async () => {
    services = await Services.start();
    await lead();
    await addProxy('standard-1', 'standard');
    await addProxy('premium-1', 'premium');
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await services[Symbol.asyncDispose]();
  });

  const lead = (): Promise<HeldLease> => services.control.store.leases.acquire('control-plane', 'replica-1', 60_000);

  async function addProxy(id: string, pool: string): Promise<void> {
    const change = { actor: 'test', at: new Date() };
    const draft = { pool: parsePoolName(pool), host: '10.0.0.7', port: 8080, weight: 100, isDraining: false };
    const { proxies } = services.control.store;
    await proxies.put(parseProxyId(id), 'static', draft, change);
    await proxies.observe([{ id: parseProxyId(id), health: 'healthy', at: new Date() }], change);
  }

  async function problems(...options: readonly string[]): Promise<readonly Finding[]> {
    const { code, out } = await services.run('doctor', '--json', ...options);
    const { findings } = JSON.parse(out) as { findings: readonly Finding[] };
    const found = findings.filter(({ level }) => level === 'problem');
    expect(code).toBe(found.length === 0 ? 0 : 1);
    expect(found.filter(({ advice }) => advice === undefined)).toEqual([]);
    return found;
  }

  it('finds nothing where nothing is wrong', async () => {
    const { code, out } = await services.run('doctor');
    expect([code, out]).toEqual([0, expect.stringContaining('No problems found.')]);
  });

  it('finds that a service cannot be reached, and examines the other', async () => {
    expect(await problems('--scim-url', 'http://127.0.0.1:2')).toMatchObject([
      { check: 'scim-service reachable', text: 'cannot reach http://127.0.0.1:2: ECONNREFUSED' },
    ]);
  });

  it('finds that the token is not accepted', async () => {
    const found = await problems('--token', 'another-token-of-nobody');
    expect(found.map(({ check }) => check)).toEqual(['scim-service token', 'control-plane token']);
  });

  it('finds that a store is unavailable or not migrated', async () => {
    jest.spyOn(services.scim.store, 'check').mockRejectedValue(new StoreUnavailableError(1));
    const found = await problems();
    expect(found).toMatchObject([
      { check: 'scim-service ready', text: expect.stringContaining('it does not accept requests: store: ') },
    ]);
  });

  it('finds that nobody leads', async () => {
    await services.control.store.leases.release('control-plane', 'replica-1');
    expect((await problems()).map(({ check }) => check)).toEqual(['control-plane leader']);
  });

  it('finds what is pending', async () => {
    const lease = await lead();
    const detail = { names: [{ name: 'standard.example.com', state: 'pending', error: 'REFUSED' }] };
    await services.control.store.operations.report(
      { component: 'dns', detail, holder: 'replica-1', at: new Date() },
      lease,
    );
    expect(await problems()).toMatchObject([
      { check: 'component dns', text: 'names: standard.example.com is pending: REFUSED' },
    ]);
  });

  it('finds pools of tenants without healthy proxies', async () => {
    await services.run('tenant', 'register', 'acme', '--patterns', 'acme', '--pool', 'premium');
    await services.run('proxy', 'drain', 'premium-1');
    expect(await problems()).toMatchObject([{ check: 'pool premium' }]);
  });

  it('finds tenants whose pool does not exist', async () => {
    const draft = { namespacePatterns: [parseNamespacePattern('acme')], pool: parsePoolName('gone') };
    const change = { actor: 'test', at: new Date() };
    await services.control.store.tenants.register(parseTenantId('acme'), 'api', draft, change);
    expect((await problems()).map(({ check, text }) => [check, text])).toEqual([
      ['tenants', '1 of 1 are routed to pools that do not exist: acme (gone)'],
    ]);
  });
});
