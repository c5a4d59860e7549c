import { crc32 } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import {
  comparePatterns,
  matchesNamespace,
  parseNamespacePattern,
  patternsOverlap,
  type NamespacePattern,
  type Tenant,
} from '@palisade/domain';
import * as fc from 'fast-check';
import {
  DEDICATED,
  PREMIUM,
  STANDARD,
  route,
  routingSettings,
  tenant,
} from '../../../test/support/routing-settings.js';
import type { DesiredState, Destination } from './desired-state.js';
import { RoutingTable } from './routing-table.js';
import { runs } from '../../../../../test/support/effort.js';

const patterns = fc.stringMatching(/^[ab*?]([-ab*?]{0,4}[ab*?])?$/);
const namespaces = fc.stringMatching(/^[ab]([-ab]{0,6}[ab])?$/);
const pools = fc.constantFrom(STANDARD, PREMIUM, DEDICATED);

const routes = fc.array(fc.record({ pattern: patterns, pool: pools, weight: fc.integer({ min: 1, max: 3 }) }), {
  maxLength: 8,
});
const drafts = fc.array(
  fc.record({
    patterns: fc.array(patterns, { minLength: 1, maxLength: 3 }),
    pool: fc.option(pools, { nil: undefined }),
  }),
  { maxLength: 6 },
);

/** Tenants `t0`, `t1`, … as the registry would take them: whoever overlaps with an earlier one is left out. */
function registered(wanted: readonly { patterns: string[]; pool?: Tenant['pool'] }[]): Tenant[] {
  return wanted.reduce<Tenant[]>((accepted, { patterns: texts, pool }, at) => {
    const next = tenant(`t${at}`, texts, { pool });
    const taken = accepted.flatMap(({ namespacePatterns }) => namespacePatterns);
    const overlaps = next.namespacePatterns.some((own) => taken.some((other) => patternsOverlap(own, other)));
    return overlaps ? accepted : [...accepted, next];
  }, []);
}

/** As the load balancer finds it, see {@link DesiredState}. */
function lookUp({ exact, prefixes, wildcards, fallback }: DesiredState, namespace: string): string | undefined {
  const globs = new Map<NamespacePattern, Destination>(wildcards);
  prefixes.forEach((destination, prefix) => globs.set(parseNamespacePattern(`${prefix}*`), destination));
  const [best] = [...globs.keys()].filter((glob) => matchesNamespace(glob, namespace)).sort(comparePatterns);
  const destination = exact.get(namespace) ?? (best && globs.get(best)) ?? fallback;
  if (destination === undefined || typeof destination === 'string') {
    return destination;
  }
  const total = destination.parts.reduce((sum, { weight }) => sum + weight, 0);
  let remainder = crc32(namespace) % total;
  return destination.parts.find(({ weight }) => (remainder -= weight) < 0)?.pool;
}

describe(`${RoutingTable.name} as the load balancer has it`, () => {
  it('sends every namespace where the table does', async () => {
    await fc.assert(
      fc.asyncProperty(
        routes,
        drafts,
        fc.option(pools, { nil: undefined }),
        fc.array(namespaces, { minLength: 12, maxLength: 12 }),
        async (entries, wanted, defaultPool, asked) => {
          const namespaceRoutes = entries.map(({ pattern, pool, weight }) => route(pattern, pool, weight));
          const table = new RoutingTable(routingSettings({ namespaceRoutes, defaultPool }));
          table.apply({ revision: 1, changed: registered(wanted), removed: [] });
          table.admitAll();
          const desired = await table.desiredState([], { panicThresholdPercent: 50 });
          for (const namespace of asked) {
            expect(lookUp(desired, namespace)).toBe(table.resolve(namespace)?.pool);
          }
        },
      ),
      { numRuns: runs(300) },
    );
  });

  it('is after any changes what it would be if the tenants had always been as they are', async () => {
    await fc.assert(
      fc.asyncProperty(routes, drafts, drafts, async (entries, first, second) => {
        const namespaceRoutes = entries.map(({ pattern, pool, weight }) => route(pattern, pool, weight));
        const [before, after] = [registered(first), registered(second)];
        const gone = before.map(({ id }) => id).filter((id) => !after.some((each) => each.id === id));
        const changed = new RoutingTable(routingSettings({ namespaceRoutes }));
        changed.apply({ revision: 1, changed: before, removed: [] });
        changed.apply({ revision: 2, changed: after, removed: gone });
        const fresh = new RoutingTable(routingSettings({ namespaceRoutes }));
        fresh.apply({ revision: 2, changed: after, removed: [] });
        const health = { panicThresholdPercent: 50 };
        for (const each of [changed, fresh]) {
          each.admitAll();
        }
        expect(await changed.desiredState([], health)).toEqual(await fresh.desiredState([], health));
      }),
      { numRuns: 300 },
    );
  });
});
