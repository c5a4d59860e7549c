import { describe, expect, it } from '@jest/globals';
import type { OperationListener, Store, StoreConnections } from '@palisade/domain';
import { Metrics } from './metrics.js';
import { StoreMetrics } from './store-metrics.js';

const CONNECTIONS: StoreConnections = {
  active: 3,
  idle: 1,
  opening: 1,
  closing: 0,
  max: 20,
  waiting: 7,
  totals: { acquired: 100, waitedMs: 2500, timedOut: 2, rejected: 4, unavailable: 6, opened: 8, failed: 5 },
};

async function scrape(connections: StoreConnections | undefined, durationsMs: readonly number[] = []) {
  const metrics = new Metrics();
  const listeners: OperationListener[] = [];
  const store: Pick<Store, 'connections' | 'onOperationEnded' | 'writesFailingSince'> = {
    connections: () => connections,
    writesFailingSince: () => new Date(),
    onOperationEnded: (listener) => void listeners.push(listener),
  };
  new StoreMetrics(metrics, store as Store).onModuleInit();
  durationsMs.forEach((durationMs) => listeners.forEach((listener) => listener(durationMs)));
  return (await metrics.registry.metrics()).split('\n').filter((line) => line.startsWith('store_'));
}

describe(StoreMetrics.name, () => {
  it('tells of connections, of those who wait and of what became of them', async () => {
    const lines = await scrape(CONNECTIONS);
    expect(lines.filter((line) => !line.startsWith('store_operation'))).toEqual([
      'store_connections{state="active"} 3',
      'store_connections{state="idle"} 1',
      'store_connections{state="opening"} 1',
      'store_connections{state="closing"} 0',
      'store_connections_max 20',
      'store_queue_length 7',
      'store_acquisitions_total{result="acquired"} 100',
      'store_acquisitions_total{result="timed_out"} 2',
      'store_acquisitions_total{result="rejected"} 4',
      'store_acquisitions_total{result="unavailable"} 6',
      'store_wait_seconds_total 2.5',
      'store_connections_opened_total 8',
      'store_connections_failed_total 5',
      'store_writes_failing 1',
    ]);
  });

  it('tells how long operations had their connections', async () => {
    expect(await scrape(CONNECTIONS, [2, 20, 2000])).toEqual(
      expect.arrayContaining([
        'store_operation_duration_seconds_bucket{le="0.001"} 0',
        'store_operation_duration_seconds_bucket{le="0.0025"} 1',
        'store_operation_duration_seconds_bucket{le="1"} 2',
        'store_operation_duration_seconds_count 3',
        'store_operation_duration_seconds_sum 2.022',
      ]),
    );
  });

  it('tells nothing of a store that has no connections', async () => {
    expect(await scrape(undefined)).toEqual([]);
  });
});
