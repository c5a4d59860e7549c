import { describe, expect, it } from '@jest/globals';
import { parseNamespaceId } from '@palisade/domain';
import { VirtualClock } from '../../test/support/virtual-clock.js';
import type { NamespaceUsage } from './namespace-usage.js';
import { UsageReporter } from './usage-reporter.js';

function usageOf(name: string, active: number, overrides: Partial<NamespaceUsage> = {}): NamespaceUsage {
  return {
    namespace: parseNamespaceId(name),
    connections: [{ backend: 'postgres', active, idle: 1, max: 9, queued: 2 }],
    requests: 10,
    errors: 1,
    aborted: 0,
    rejections: { POOL_TIMEOUT: 3 },
    rowsAccessed: 0,
    cpuSeconds: 0.5,
    requestsPerSecond: 1,
    queued: 2,
    bytesHeld: 100,
    alerts: [],
    ...overrides,
  };
}

const AMOUNTS = {
  requests: 10,
  requests_per_second: 1,
  errors: 1,
  rejected: { POOL_TIMEOUT: 3 },
  cpu_seconds: 0.5,
  memory_bytes: 100,
};

describe(UsageReporter, () => {
  it('names the busiest, and adds up the others', () => {
    const usages = [usageOf('a', 1), usageOf('b', 3, { p50Ms: 1, p99Ms: 8 }), usageOf('c', 2, { connections: [] })];
    const sessionOfA = { namespace: parseNamespaceId('a') };
    const reporter = new UsageReporter({ namespaces: () => usages, sessions: () => [sessionOfA, sessionOfA] });

    expect(reporter.report(1)).toEqual({
      namespaces: [
        {
          namespace: 'b',
          sessions: 0,
          connections: { postgres: { in_use: 3, idle: 1, waiting: 2 } },
          ...AMOUNTS,
          p50_ms: 1,
          p99_ms: 8,
        },
      ],
      rest: {
        namespaces: 2,
        sessions: 2,
        connections: { postgres: { in_use: 1, idle: 1, waiting: 2 } },
        requests: 20,
        requests_per_second: 2,
        errors: 2,
        rejected: { POOL_TIMEOUT: 6 },
        cpu_seconds: 1,
        memory_bytes: 200,
      },
    });
  });

  it('reports a thousand namespaces by name', () => {
    const usages = Array.from({ length: 1003 }, (_, index) => usageOf(`n-${index}`, 1));

    const { namespaces, rest } = new UsageReporter({ namespaces: () => usages }).report();

    expect([namespaces.length, rest?.namespaces]).toEqual([1000, 3]);
  });

  it('does not report with each heartbeat', async () => {
    const clock = new VirtualClock();
    const reporter = new UsageReporter({ namespaces: () => [] }, clock);

    expect([reporter.next(), reporter.next()]).toEqual([{ namespaces: [] }, undefined]);
    await clock.advance(5000);
    expect(reporter.next()).toEqual({ namespaces: [] });
  });
});
