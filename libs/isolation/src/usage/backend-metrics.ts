import type { Registry } from 'prom-client';
import type { PoolEvent } from '../pools/pool-counters.js';
import { CollectedMetrics } from './collected-metrics.js';
import type { UsageService } from './usage.service.js';

interface EventCounter {
  readonly name: string;
  readonly help: string;
  /** What tells the events apart. */
  readonly label?: string;
  /** Values of the label, by event. */
  readonly events: Partial<Readonly<Record<PoolEvent, string>>>;
  /** What one of the pools' own units is. Default 1. */
  readonly unit?: number;
}

const EVENT_COUNTERS: readonly EventCounter[] = [
  {
    name: 'isolation_acquisitions_total',
    help: 'Times that a connection of a pool was asked for, by how that ended.',
    label: 'result',
    events: {
      acquired: 'acquired',
      timedOut: 'timed_out',
      rejected: 'rejected',
      unavailable: 'unavailable',
      aborted: 'aborted',
    },
  },
  { name: 'isolation_waits_total', help: 'Acquisitions that had to wait.', events: { queued: '' } },
  {
    name: 'isolation_wait_seconds_total',
    help: 'Time that acquisitions have waited which got a connection in the end.',
    events: { waitedMs: '' },
    unit: 0.001,
  },
  {
    name: 'isolation_connections_opened_total',
    help: 'Connections of pools that were established.',
    events: { opened: '' },
  },
  {
    name: 'isolation_connections_failed_total',
    help: 'Attempts of pools to connect that failed.',
    events: { failed: '' },
  },
  {
    name: 'isolation_connections_closed_total',
    help: 'Connections of pools that were closed for a reason: for another namespace, for lack of use, for age, or because it was unusable.',
    label: 'reason',
    events: {
      evicted: 'evicted',
      handedOver: 'handed_over',
      reaped: 'reaped',
      expired: 'expired',
      discarded: 'discarded',
    },
  },
];

/**
 * Adds what backends have of connections, and what pools do with them, to a registry: by backend, which the settings
 * name, so there are few series.
 */
export function registerBackendMetrics(registry: Registry, usage: UsageService): void {
  const metrics = new CollectedMetrics(registry);
  EVENT_COUNTERS.forEach((counter) => addEvents(metrics, usage, counter));
  const capHelp = 'Connections to a backend that the process may have at once, of all namespaces together.';
  metrics.gauge('isolation_connections_cap', capHelp, ['backend'], function* () {
    for (const { name: backend, maxTotal } of usage.connections().pools) {
      yield [{ backend }, maxTotal];
    }
  });
  const connectionsHelp =
    'Connections to a backend that count against its cap: also those that are opening or closing.';
  metrics.gauge('isolation_backend_connections', connectionsHelp, ['backend'], function* () {
    for (const { name: backend, active, idle, opening, closing } of usage.connections().pools) {
      yield [{ backend }, active + idle + opening + closing];
    }
  });
}

function addEvents(metrics: CollectedMetrics, usage: UsageService, counter: EventCounter): void {
  const { name, help, label, events, unit = 1 } = counter;
  metrics.counter(name, help, label === undefined ? ['backend'] : ['backend', label], function* () {
    for (const { name: backend, counters } of usage.connections().pools) {
      for (const [event, value] of Object.entries(events) as [PoolEvent, string][]) {
        yield [{ backend, ...(label !== undefined && { [label]: value }) }, counters[event] * unit];
      }
    }
  });
}
