import type { NamespaceId } from '@palisade/domain';
import type { BackendUsage, NamespaceUsage, UsageAlert } from '@palisade/isolation';

export interface UsageResponse {
  readonly namespace: string;
  readonly requests: number;
  readonly requests_per_second: number;
  readonly errors: number;
  readonly aborted: number;
  readonly rejections: Readonly<Record<string, number>>;
  readonly rows_accessed: number;
  readonly cpu_seconds: number;
  readonly bytes_held: number;
  readonly queued: number;
  readonly connections: readonly BackendUsage[];
  readonly alerts: readonly Pick<UsageAlert, 'kind' | 'severity' | 'backend' | 'value' | 'threshold'>[];
}

/** All values are zero for a namespace that has not sent anything yet. */
export function toUsageResponse(namespace: NamespaceId, usage: NamespaceUsage | undefined): UsageResponse {
  return {
    namespace,
    requests: usage?.requests ?? 0,
    requests_per_second: usage?.requestsPerSecond ?? 0,
    errors: usage?.errors ?? 0,
    aborted: usage?.aborted ?? 0,
    rejections: usage?.rejections ?? {},
    rows_accessed: usage?.rowsAccessed ?? 0,
    cpu_seconds: usage?.cpuSeconds ?? 0,
    bytes_held: usage?.bytesHeld ?? 0,
    queued: usage?.queued ?? 0,
    connections: (usage?.connections ?? []).map(({ backend, active, idle, max, queued }) => ({
      backend,
      active,
      idle,
      max,
      queued,
    })),
    alerts: (usage?.alerts ?? []).map(({ kind, severity, backend, value, threshold }) => ({
      kind,
      severity,
      backend,
      value,
      threshold,
    })),
  };
}
