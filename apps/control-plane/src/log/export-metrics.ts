import type { LogStore } from '@palisade/domain';
import type { Metrics } from '@palisade/platform';
import type { Leadership } from '../leadership/leadership.js';
import type { LogExporter } from './log-exporter.js';

export interface ExportMetricsSource {
  readonly log: Pick<LogStore, 'ends' | 'list'>;
  readonly leadership: Pick<Leadership, 'isLeader'>;
  readonly exporter: Pick<LogExporter, 'exportedThrough'>;
  readonly now?: () => number;
}

/**
 * Registers how far the export of the log is behind. Only the leader exports, so only the leader reports it; it reports
 * nothing while the store is unreachable, nor before it knows where the export ends.
 */
export function registerExportMetrics(
  metrics: Pick<Metrics, 'gauge'>,
  { log, leadership, exporter, now = Date.now }: ExportMetricsSource,
): void {
  const read = (measure: (exportedThrough: number) => Promise<number>) => async (): Promise<number | undefined> => {
    const through = exporter.exportedThrough;
    return leadership.isLeader && through !== undefined ? await measure(through) : undefined;
  };
  metrics.gauge({
    name: 'control_plane_audit_unexported_records',
    help: 'Records of the log that have not been exported yet.',
    read: read(async (through) => {
      const { removed, head } = await log.ends();
      return head.position - Math.max(through, removed.position);
    }),
  });
  metrics.gauge({
    name: 'control_plane_audit_export_lag_seconds',
    help: 'Age of the oldest record of the log that has not been exported yet; 0 when there is none.',
    read: read(async (through) => {
      const [oldest] = await log.list({ after: through, limit: 1 });
      return oldest === undefined ? 0 : Math.max(0, now() - oldest.timestamp.getTime()) / 1000;
    }),
  });
}
