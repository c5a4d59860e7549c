import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Store, StoreUnavailableError, type UnsealedRecords } from '@palisade/domain';
import { Gauge } from 'prom-client';
import { Metrics } from '../telemetry/metrics.js';

/** Tells how far the log's sealer is behind; nothing while the store is unreachable. */
@Injectable()
export class LogMetrics implements OnModuleInit {
  constructor(
    private readonly store: Store,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    this.register('log_unsealed_records', 'Records that were written and have no position yet.', ({ count }) => count);
    this.register(
      'log_seal_lag_seconds',
      'Age of the oldest record that has no position yet; 0 when there is none.',
      ({ oldest }) => (oldest === undefined ? 0 : Math.max(0, Date.now() - oldest.getTime()) / 1000),
    );
  }

  private register(name: string, help: string, measure: (unsealed: UnsealedRecords) => number): void {
    const { store } = this;
    const gauge = new Gauge({
      name,
      help,
      registers: [this.metrics.registry],
      async collect() {
        gauge.remove();
        try {
          gauge.set(measure(await store.log.unsealed()));
        } catch (error) {
          if (!(error instanceof StoreUnavailableError)) {
            throw error;
          }
        }
      },
    });
  }
}
