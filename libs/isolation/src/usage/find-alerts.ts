import type { NamespaceId } from '@palisade/domain';
import type { BackendUsage, UsageAlert } from './namespace-usage.js';
import type { WindowSums } from './sliding-window.js';

/** Document 2's thresholds, as shares. */
const MAX_CONNECTIONS_USED = 0.9;
const MAX_ERROR_RATE = 0.05;
/** More slow requests than this and the 99th percentile is above the second that makes a request slow. */
const MAX_SLOW = 0.01;

export function findConnectionAlerts(backends: readonly BackendUsage[], namespace?: NamespaceId): UsageAlert[] {
  return backends
    .filter(({ active, max }) => active / max > MAX_CONNECTIONS_USED)
    .map(({ backend, active, max }) => ({
      kind: 'connections',
      severity: 'warning',
      namespace,
      backend,
      value: active / max,
      threshold: MAX_CONNECTIONS_USED,
    }));
}

export function findRequestAlerts({ requests, errors, slow }: WindowSums, namespace: NamespaceId): UsageAlert[] {
  const alerts: UsageAlert[] = [];
  const [errorRate, slowShare] = [errors / requests, slow / requests];
  if (errorRate > MAX_ERROR_RATE) {
    alerts.push({ kind: 'error_rate', severity: 'critical', namespace, value: errorRate, threshold: MAX_ERROR_RATE });
  }
  if (slowShare > MAX_SLOW) {
    alerts.push({ kind: 'latency', severity: 'warning', namespace, value: slowShare, threshold: MAX_SLOW });
  }
  return alerts;
}
