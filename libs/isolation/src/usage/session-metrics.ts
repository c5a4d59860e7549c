import type { Registry } from 'prom-client';
import { CollectedMetrics } from './collected-metrics.js';
import type { UsageService } from './usage.service.js';

/** Adds sessions to a registry. */
export function registerSessionMetrics(registry: Registry, usage: UsageService): void {
  const metrics = new CollectedMetrics(registry);
  const sessions = () => usage.connections().sessions;
  const sessionsHelp = 'Sessions that exist, those that are being set up or torn down included.';
  metrics.gauge('isolation_sessions', sessionsHelp, [], () => [[{}, sessions().sessions]]);
  const maxHelp = 'Sessions that may exist at once.';
  metrics.gauge('isolation_sessions_max', maxHelp, [], () => [[{}, sessions().maxSessions]]);
  const foreignHelp = 'Times that somebody asked for a session which belongs to another client or namespace.';
  metrics.counter('isolation_sessions_foreign_attempts_total', foreignHelp, [], () => [
    [{}, sessions().foreignAttempts],
  ]);
}
