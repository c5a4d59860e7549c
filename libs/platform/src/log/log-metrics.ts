import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Store } from '@palisade/domain';
import { Metrics } from '../telemetry/metrics.js';

/** Tells how far the log's sealer is behind. */
@Injectable()
export class LogMetrics implements OnModuleInit {
  constructor(
    private readonly store: Store,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    const { log } = this.store;
    this.metrics.gauge({
      name: 'log_unsealed_records',
      help: 'Records that were written and have no position yet.',
      read: async () => (await log.unsealed()).count,
    });
    this.metrics.gauge({
      name: 'log_seal_lag_seconds',
      help: 'Age of the oldest record that has no position yet; 0 when there is none.',
      read: async () => {
        const { oldest } = await log.unsealed();
        return oldest === undefined ? 0 : Math.max(0, Date.now() - oldest.getTime()) / 1000;
      },
    });
  }
}
