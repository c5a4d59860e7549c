import { describe, expect, it } from '@jest/globals';
import { parseNamespaceId, type NamespaceId } from '@palisade/domain';
import { UsageRegistry } from './usage-registry.js';

const [ACME, BOLT, CORE] = ['acme', 'bolt', 'core'].map(parseNamespaceId) as [NamespaceId, NamespaceId, NamespaceId];

function namesIn(registry: UsageRegistry): string[] {
  return [...registry.entries()].map(([namespace]) => namespace);
}

function finishOne(registry: UsageRegistry, namespace: NamespaceId): void {
  const tally = registry.of(namespace);
  tally.admit('fake');
  tally.start('fake');
  tally.end('fake', { hasStarted: true, outcome: 'succeeded', nowMs: 0, durationMs: 1 });
}

describe(UsageRegistry.name, () => {
  it('forgets the namespace that has been quiet for longest when there are too many', () => {
    const registry = new UsageRegistry(2);
    for (const namespace of [ACME, BOLT, ACME, CORE]) {
      finishOne(registry, namespace);
    }
    expect(namesIn(registry)).toEqual(['acme', 'core']);
  });

  it('keeps in its totals what a forgotten namespace has counted', () => {
    const registry = new UsageRegistry(1);
    finishOne(registry, ACME);
    registry.of(ACME).counters.reject('RATE_LIMITED');
    finishOne(registry, BOLT);
    expect(registry.totals.snapshot()).toMatchObject({ requests: 2, rejections: { RATE_LIMITED: 1 } });
  });

  it('forgets nobody with work under way', () => {
    const registry = new UsageRegistry(1);
    registry.of(ACME).admit('fake');
    finishOne(registry, BOLT);
    expect(registry.find(ACME)?.loads.get('fake')).toEqual({ active: 0, waiting: 1 });
  });

  it('is larger than it may be only by those with work under way, and the one that comes', () => {
    const registry = new UsageRegistry(1);
    const tally = registry.of(ACME);
    tally.admit('fake');
    registry.of(BOLT).admit('fake');
    tally.end('fake', { hasStarted: false, outcome: 'failed', nowMs: 0, durationMs: 1 });
    registry.of(CORE);
    expect(namesIn(registry).toSorted()).toEqual(['bolt', 'core']);
  });

  it('charges CPU time, and keeps apart what is nobody’s', () => {
    const registry = new UsageRegistry(10);
    registry.charge({ namespaces: new Map([[ACME, 500]]), otherMs: 250 });
    registry.charge({ namespaces: new Map([[ACME, 500]]), otherMs: 250 });
    expect([registry.of(ACME).counters.snapshot().cpuSeconds, registry.otherCpuSeconds]).toEqual([1, 0.5]);
  });

  it('tells a bounded number of reasons apart', () => {
    const registry = new UsageRegistry(1);
    for (let code = 0; code < 40; code++) {
      registry.of(ACME).counters.reject(`CODE_${code}`);
    }
    const { rejections } = registry.totals.snapshot();
    expect([Object.keys(rejections).length, rejections['OTHER']]).toEqual([33, 8]);
  });
});
