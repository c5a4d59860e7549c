import { Counter, type Registry } from 'prom-client';
import type { DnsDuty } from './dns.duty.js';

/** Adds how updates of names went to a registry. Only the leader updates, so only its numbers grow. */
export function registerDnsMetrics(registry: Registry, { updates }: Pick<DnsDuty, 'updates'>): void {
  const counter = new Counter({
    name: 'control_plane_dns_updates_total',
    help: 'Updates of the names of pools that were tried, by how that ended.',
    labelNames: ['result'],
    registers: [registry],
    collect() {
      counter.reset();
      Object.entries(updates).forEach(([result, count]) => counter.inc({ result }, count));
    },
  });
}
