import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Metrics } from '@palisade/platform';
import { UsageService } from './usage.service.js';

type BusyTenant = Awaited<ReturnType<UsageService['busiestTenants']>>[number];

/** Tenants that have series of their own at a time. */
const MAX_TENANTS = 100;

/** What the busiest tenants use at all proxies together. */
@Injectable()
export class TenantMetrics implements OnModuleInit {
  constructor(
    private readonly metrics: Metrics,
    private readonly usage: UsageService,
  ) {}

  onModuleInit(): void {
    this.byBackend('connections', 'Connections in use.', ({ sum }) =>
      [...sum.connections].map(([backend, { in_use: inUse }]) => [backend, inUse]),
    );
    this.byBackend('connections_max', 'Connections that the tenant may have.', ({ limits }) => [...limits]);
    this.metrics.gauge({
      name: 'control_plane_tenant_sessions',
      help: 'Sessions that are open.',
      labelNames: ['tenant'],
      read: () => this.read(({ sum: { sessions } }) => [[{}, sessions]]),
    });
    this.metrics.gauge({
      name: 'control_plane_tenant_max_requests_per_second',
      help: 'Requests per second that the tenant may make.',
      labelNames: ['tenant'],
      read: () => this.read(({ maxRps }) => (maxRps === undefined ? [] : [[{}, maxRps]])),
    });
    this.metrics.counter({
      name: 'control_plane_tenant_requests_total',
      help: 'Requests that proxies reported while this process watched.',
      labelNames: ['tenant'],
      read: () => this.read(({ counted }) => [[{}, counted.requests]]),
    });
    this.metrics.counter({
      name: 'control_plane_tenant_errors_total',
      help: 'Requests that failed.',
      labelNames: ['tenant'],
      read: () => this.read(({ counted }) => [[{}, counted.errors]]),
    });
    this.metrics.gauge({
      name: 'control_plane_tenant_p99_seconds',
      help: 'Time that 99 % of the requests of a namespace take at most, where it is longest.',
      labelNames: ['tenant'],
      read: () => this.read(({ sum: { p99Ms } }) => (p99Ms === undefined ? [] : [[{}, p99Ms / 1000]])),
    });
  }

  private byBackend(name: string, help: string, amounts: (use: BusyTenant) => (readonly [string, number])[]): void {
    this.metrics.gauge({
      name: `control_plane_tenant_${name}`,
      help,
      labelNames: ['tenant', 'backend'],
      read: () => this.read((use) => amounts(use).map(([backend, amount]) => [{ backend }, amount])),
    });
  }

  private async read(
    samples: (use: BusyTenant) => readonly (readonly [Readonly<Record<string, string>>, number])[],
  ): Promise<(readonly [Readonly<Record<string, string>>, number])[]> {
    const uses = await this.usage.busiestTenants(MAX_TENANTS);
    return uses.flatMap((use) =>
      samples(use).map(([labels, amount]) => [{ tenant: use.tenant, ...labels }, amount] as const),
    );
  }
}
