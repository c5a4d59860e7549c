import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Metrics } from '@palisade/platform';
import { UsageService, type CapUse } from './usage.service.js';

/** How the caps of backends are divided, by pool and backend of the configuration. */
@Injectable()
export class CapMetrics implements OnModuleInit {
  constructor(
    private readonly metrics: Metrics,
    private readonly usage: UsageService,
  ) {}

  onModuleInit(): void {
    this.gauge('limit', 'Connections that all proxies of the pool may have together.', ({ cap }) => cap ?? 0);
    this.gauge(
      'granted',
      'Connections that processes may have by the parts that they were given.',
      (use) => use.granted,
    );
    this.gauge('silent', 'Connections that are kept for processes that report no longer.', (use) => use.silent);
    this.gauge('wanted', 'Connections in use, and requests that wait for one.', (use) => use.wanted);
    this.gauge('proxies_without_part', 'Proxies that may have no connection.', (use) => use.withoutPart);
  }

  private gauge(name: string, help: string, amount: (use: CapUse) => number): void {
    this.metrics.gauge({
      name: `control_plane_cap_${name}`,
      help,
      labelNames: ['pool', 'backend'],
      read: async () => {
        const uses = await this.usage.capUses();
        return uses.map((use) => [{ pool: use.pool, backend: use.backend }, amount(use)] as const);
      },
    });
  }
}
