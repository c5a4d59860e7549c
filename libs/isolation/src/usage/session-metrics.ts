import type { Registry } from 'prom-client';
import { CollectedMetrics } from './collected-metrics.js';
import type { UsageService } from './usage.service.js';

/** Adds sessions to a registry; at the levels without sessions there are 0 of 0. */
export function registerSessionMetrics(registry: Registry, usage: UsageService): void {
  const metrics = new CollectedMetrics(registry);
  const sessions = () => usage.connections().sessions;
  const sessionsHelp = 'Sessions that exist, those that are being set up or torn down included.';
  metrics.gauge('isolation_sessions', sessionsHelp, [], () => [[{}, sessions()?.sessions ?? 0]]);
  const maxHelp = 'Sessions that may exist at once; 0 at the isolation levels that have none.';
  metrics.gauge('isolation_sessions_max', maxHelp, [], () => [[{}, sessions()?.maxSessions ?? 0]]);
  const foreignHelp = 'Times that somebody asked for a session which belongs to another client or namespace.';
  metrics.counter('isolation_sessions_foreign_attempts_total', foreignHelp, [], () => [
    [{}, sessions()?.foreignAttempts ?? 0],
  ]);
}
