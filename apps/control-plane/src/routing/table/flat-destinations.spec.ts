import { beforeEach, describe, expect, it } from '@jest/globals';
import { parseNamespacePattern, parseProxyId, parseTenantId, type PoolName, type Proxy } from '@palisade/domain';
import { PREMIUM, STANDARD, route } from '../../../test/support/routing-settings.js';
import { FlatDestinations } from './flat-destinations.js';
import { NamespaceRoutes } from './namespace-routes.js';

const ACME = parseTenantId('acme');
const [EU, US] = [parseNamespacePattern('acme-eu'), parseNamespacePattern('acme-us')];

function governed(id: string, pool: PoolName, revision?: number, overrides: Partial<Proxy> = {}): Proxy {
  return {
    id: parseProxyId(id),
    pool,
    host: '10.0.0.1',
    port: 1,
    weight: 100,
    isDraining: false,
    source: 'registration',
    health: 'healthy',
    registeredAt: new Date(0),
    policy: { source: 'stream', age_seconds: 0, ...(revision !== undefined && { revision }) },
    ...overrides,
  };
}

describe(FlatDestinations.name, () => {
  let nowMs: number;
  let flat: FlatDestinations;

  beforeEach(() => {
    nowMs = 0;
    flat = new FlatDestinations(new NamespaceRoutes([route('acme-us', STANDARD)]), () => nowMs);
    flat.put(ACME, [], new Map([[EU, STANDARD]]), 1);
    flat.admitAll();
  });

  const moveToPremium = () => flat.put(ACME, [EU], new Map([[EU, PREMIUM]]), 7);
  const admit = (proxies: readonly Proxy[], revision = 9) =>
    flat.admit({ byPool: Map.groupBy(proxies, ({ pool }) => pool), revision }, 2000);
  const poolOf = async (name: string) => (await flat.copy(() => undefined)).exact.get(name);

  it('leaves a tenant where it is until every proxy of its new pool has acknowledged it', async () => {
    moveToPremium();
    expect(admit([governed('a', PREMIUM, 7), governed('b', PREMIUM, 6)])).toEqual({ admitted: 0, overdue: [] });
    expect(await poolOf('acme-eu')).toBe(STANDARD);
    expect(admit([governed('a', PREMIUM, 7), governed('b', PREMIUM, 8)])).toEqual({ admitted: 1, overdue: [] });
    expect([await poolOf('acme-eu'), flat.isWaiting]).toEqual([PREMIUM, false]);
  });

  it.each([
    ['of another pool', governed('a', STANDARD, 1)],
    ['that is not healthy', governed('a', PREMIUM, 1, { health: 'unhealthy' })],
    ['that drains', governed('a', PREMIUM, 1, { isDraining: true })],
    ['that holds no stream', governed('a', PREMIUM, 1, { policy: undefined })],
    ['that goes on with its copy', governed('a', PREMIUM, 1, { policy: { source: 'disk', age_seconds: 0 } })],
    ['that has lost its stream', governed('a', PREMIUM, 1, { policy: { source: 'stream', age_seconds: 6 } })],
  ])('waits for no proxy %s', async (_, proxy) => {
    moveToPremium();
    expect(admit([proxy])).toEqual({ admitted: 1, overdue: [] });
  });

  it('does not believe a revision that the registry does not have', () => {
    moveToPremium();
    expect(admit([governed('a', PREMIUM, 500)])).toMatchObject({ admitted: 0 });
  });

  it('goes ahead when the time is over, and says who was not waited for', async () => {
    moveToPremium();
    nowMs = 1999;
    expect(admit([governed('a', PREMIUM)])).toMatchObject({ admitted: 0 });
    nowMs = 2000;
    expect(admit([governed('a', PREMIUM), governed('b', PREMIUM, 7)])).toEqual({
      admitted: 1,
      overdue: [{ tenant: ACME, revision: 7, proxies: ['a'] }],
    });
  });

  it('waits no longer for a tenant that changes again and again', () => {
    moveToPremium();
    nowMs = 1500;
    flat.put(ACME, [EU], new Map([[EU, PREMIUM]]), 8);
    nowMs = 2000;
    expect(admit([governed('a', PREMIUM, 7)])).toMatchObject({ admitted: 1 });
  });

  it('takes a namespace away at once, and gives a new one later', async () => {
    flat.put(ACME, [EU], new Map([[US, PREMIUM]]), 7);
    admit([governed('a', PREMIUM, 6)]);
    expect([await poolOf('acme-eu'), await poolOf('acme-us')]).toEqual([undefined, STANDARD]);
    admit([governed('a', PREMIUM, 7)]);
    expect(await poolOf('acme-us')).toBe(PREMIUM);
  });

  it('forgets what a tenant waits for that is removed or stays', () => {
    moveToPremium();
    flat.put(ACME, [EU], new Map([[EU, STANDARD]]), 8);
    expect(flat.isWaiting).toBe(false);
    moveToPremium();
    flat.put(ACME, [EU], new Map(), 9);
    expect(flat.isWaiting).toBe(false);
  });
});
