import { Counter, Gauge, type Registry } from 'prom-client';
import type { UsageService } from './usage.service.js';

/** Adds sessions to a registry; at the levels without sessions there are 0 of 0. */
export function registerSessionMetrics(registry: Registry, usage: UsageService): void {
  const sessions = new Gauge({
    name: 'isolation_sessions',
    help: 'Sessions that exist, those that are being set up or torn down included.',
    registers: [registry],
    collect() {
      sessions.set(usage.connections().sessions?.sessions ?? 0);
    },
  });
  const max = new Gauge({
    name: 'isolation_sessions_max',
    help: 'Sessions that may exist at once; 0 at the isolation levels that have none.',
    registers: [registry],
    collect() {
      max.set(usage.connections().sessions?.maxSessions ?? 0);
    },
  });
  const foreign = new Counter({
    name: 'isolation_sessions_foreign_attempts_total',
    help: 'Times that somebody asked for a session which belongs to another client or namespace.',
    registers: [registry],
    collect() {
      foreign.reset();
      foreign.inc(usage.connections().sessions?.foreignAttempts ?? 0);
    },
  });
}
