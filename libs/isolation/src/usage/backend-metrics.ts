import { Counter, Gauge, type Registry } from 'prom-client';
import type { PoolEvent } from '../pools/pool-counters.js';
import type { ConnectionsSnapshot } from './namespace-usage.js';
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
      refused: 'refused',
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
  EVENT_COUNTERS.forEach((counter) => registerEvents(registry, usage, counter));
  registerGauge(registry, usage, {
    name: 'isolation_connections_cap',
    help: 'Connections to a backend that the process may have at once, of all namespaces together.',
    values: ({ pools, sessions }) => [
      ...pools.map(({ name, maxTotal }) => [name, maxTotal] as const),
      ...(sessions?.connections ?? []).map(({ backend, max }) => [backend, max] as const),
    ],
  });
  registerGauge(registry, usage, {
    name: 'isolation_backend_connections',
    help: 'Connections to a backend that count against its cap: also those that are opening or closing.',
    values: ({ pools, sessions }) => [
      ...pools.map(({ name, ...own }) => [name, own.active + own.idle + own.opening + own.closing] as const),
      ...(sessions?.connections ?? []).map(({ backend, total }) => [backend, total] as const),
    ],
  });
}

function registerEvents(
  registry: Registry,
  usage: UsageService,
  { name, help, label, events, unit = 1 }: EventCounter,
) {
  const counter = new Counter({
    name,
    help,
    labelNames: label === undefined ? ['backend'] : ['backend', label],
    registers: [registry],
    collect() {
      counter.reset();
      for (const { name: backend, counters } of usage.connections().pools) {
        for (const [event, value] of Object.entries(events) as [PoolEvent, string][]) {
          counter.inc({ backend, ...(label !== undefined && { [label]: value }) }, counters[event] * unit);
        }
      }
    },
  });
}

interface BackendGauge {
  readonly name: string;
  readonly help: string;
  readonly values: (snapshot: ConnectionsSnapshot) => readonly (readonly [string, number])[];
}

function registerGauge(registry: Registry, usage: UsageService, { name, help, values }: BackendGauge): void {
  const gauge = new Gauge({
    name,
    help,
    labelNames: ['backend'],
    registers: [registry],
    collect() {
      gauge.reset();
      values(usage.connections()).forEach(([backend, value]) => gauge.set({ backend }, value));
    },
  });
}
