import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Store } from '@palisade/domain';
import { Histogram } from 'prom-client';
import { Metrics } from './metrics.js';

const DURATION_BUCKETS_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30];
const STATES = ['active', 'idle', 'opening', 'closing'] as const;

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
    if (this.store.connections() !== undefined) {
      this.registerConnections();
      this.registerAcquisitions();
      this.registerOperations();
    }
  }

  private registerConnections(): void {
    const { metrics, store } = this;
    metrics.gauge({
      name: 'store_connections',
      help: 'Connections to the database, by what they do.',
      labelNames: ['state'],
      read: () => STATES.map((state) => [{ state }, store.connections()?.[state] ?? 0] as const),
    });
    metrics.gauge({
      name: 'store_connections_max',
      help: 'Connections to the database that the process may have at once.',
      read: () => store.connections()?.max,
    });
    metrics.gauge({
      name: 'store_queue_length',
      help: 'Operations that wait for a connection to the database.',
      read: () => store.connections()?.waiting,
    });
  }

  private registerAcquisitions(): void {
    const { metrics } = this;
    const totals = () => this.store.connections()?.totals;
    metrics.counter({
      name: 'store_acquisitions_total',
      help: 'Times that an operation asked for a connection to the database, by how that ended.',
      labelNames: ['result'],
      read: () => {
        const { acquired = 0, timedOut = 0, rejected = 0, unavailable = 0 } = totals() ?? {};
        return Object.entries({ acquired, timed_out: timedOut, rejected, unavailable }).map(
          ([result, count]) => [{ result }, count] as const,
        );
      },
    });
    metrics.counter({
      name: 'store_wait_seconds_total',
      help: 'Time that operations have waited for the connections that they got.',
      read: () => (totals()?.waitedMs ?? 0) / 1000,
    });
    metrics.counter({
      name: 'store_connections_opened_total',
      help: 'Connections to the database that were made.',
      read: () => totals()?.opened,
    });
    metrics.counter({
      name: 'store_connections_failed_total',
      help: 'Attempts to connect to the database that failed.',
      read: () => totals()?.failed,
    });
  }

  private registerOperations(): void {
    const durations = new Histogram({
      name: 'store_operation_duration_seconds',
      help: 'Time for which operations had a connection to the database; that they waited for it is not part of it.',
      buckets: DURATION_BUCKETS_SECONDS,
      registers: [this.metrics.registry],
    });
    this.store.onOperationEnded((durationMs) => durations.observe(durationMs / 1000));
    this.metrics.gauge({
      name: 'store_writes_failing',
      help: '1 while changes fail because the database has no disk or memory left.',
      read: () => (this.store.writesFailingSince() === undefined ? 0 : 1),
    });
  }
}
