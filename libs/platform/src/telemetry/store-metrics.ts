import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Store, type StoreConnections } from '@palisade/domain';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { Metrics } from './metrics.js';

type Total = keyof StoreConnections['totals'];

const DURATION_BUCKETS_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30];
const STATES = ['active', 'idle', 'opening', 'closing'] as const;
const RESULTS = [
  ['acquired', 'acquired'],
  ['timed_out', 'timedOut'],
  ['refused', 'refused'],
  ['unavailable', 'unavailable'],
] as const satisfies readonly (readonly [string, Total])[];

/**
 * Metrics of the store's connections to its database, for all users of the store together, so there are few series. A store
 * without connections has none.
 */
@Injectable()
export class StoreMetrics implements OnModuleInit {
  constructor(
    private readonly metrics: Metrics,
    private readonly store: Store,
  ) {}

  onModuleInit(): void {
    const { registry } = this.metrics;
    const connections = (): StoreConnections | undefined => this.store.connections();
    if (connections() !== undefined) {
      registerConnections(registry, connections);
      registerAcquisitions(registry, connections);
      registerDurations(registry, this.store);
      registerShortage(registry, this.store);
    }
  }
}

type Read = () => StoreConnections | undefined;

function registerConnections(registry: Registry, read: Read): void {
  const connections = new Gauge({
    name: 'store_connections',
    help: 'Connections to the database, by what they do.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      const own = read();
      STATES.forEach((state) => connections.set({ state }, own?.[state] ?? 0));
    },
  });
  const max = new Gauge({
    name: 'store_connections_max',
    help: 'Connections to the database that the process may have at once.',
    registers: [registry],
    collect() {
      max.set(read()?.max ?? 0);
    },
  });
  const waiting = new Gauge({
    name: 'store_queue_length',
    help: 'Operations that wait for a connection to the database.',
    registers: [registry],
    collect() {
      waiting.set(read()?.waiting ?? 0);
    },
  });
}

function registerAcquisitions(registry: Registry, read: Read): void {
  const acquisitions = new Counter({
    name: 'store_acquisitions_total',
    help: 'Times that an operation asked for a connection to the database, by how that ended.',
    labelNames: ['result'],
    registers: [registry],
    collect() {
      acquisitions.reset();
      RESULTS.forEach(([result, total]) => acquisitions.inc({ result }, read()?.totals[total] ?? 0));
    },
  });
  registerTotal(registry, read, {
    name: 'store_wait_seconds_total',
    help: 'Time that operations have waited for the connections that they got.',
    total: 'waitedMs',
    unit: 0.001,
  });
  registerTotal(registry, read, {
    name: 'store_connections_opened_total',
    help: 'Connections to the database that were made.',
    total: 'opened',
  });
  registerTotal(registry, read, {
    name: 'store_connections_failed_total',
    help: 'Attempts to connect to the database that failed.',
    total: 'failed',
  });
}

function registerDurations(registry: Registry, store: Store): void {
  const histogram = new Histogram({
    name: 'store_operation_duration_seconds',
    help: 'Time for which operations had a connection to the database; that they waited for it is not part of it.',
    buckets: DURATION_BUCKETS_SECONDS,
    registers: [registry],
  });
  store.onOperationEnded((durationMs) => histogram.observe(durationMs / 1000));
}

function registerShortage(registry: Registry, store: Store): void {
  const failing = new Gauge({
    name: 'store_writes_failing',
    help: '1 while changes fail because the database has no disk or memory left.',
    registers: [registry],
    collect() {
      failing.set(store.writesFailingSince() === undefined ? 0 : 1);
    },
  });
}

interface TotalCounter {
  readonly name: string;
  readonly help: string;
  readonly total: Total;
  readonly unit?: number;
}

function registerTotal(registry: Registry, read: Read, { name, help, total, unit = 1 }: TotalCounter): void {
  const counter = new Counter({
    name,
    help,
    registers: [registry],
    collect() {
      counter.reset();
      counter.inc((read()?.totals[total] ?? 0) * unit);
    },
  });
}
