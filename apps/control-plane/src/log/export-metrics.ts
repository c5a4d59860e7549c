import { StoreUnavailableError, type LogStore } from '@palisade/domain';
import { Gauge, type Registry } from 'prom-client';
import type { Leadership } from '../leadership/leadership.js';
import type { LogExporter } from './log-exporter.js';

export interface ExportMetricsSource {
  readonly log: Pick<LogStore, 'ends' | 'list'>;
  readonly leadership: Pick<Leadership, 'isLeader'>;
  readonly exporter: Pick<LogExporter, 'exportedThrough'>;
  readonly now?: () => number;
}

/**
 * Adds to a registry how far the export of the log is behind. Only the leader exports, so only the leader reports it; it reports
 * nothing while the store is unreachable, nor before it knows where the export ends.
 */
export function registerExportMetrics(registry: Registry, { now = Date.now, ...source }: ExportMetricsSource): void {
  registerGauge(registry, source, {
    name: 'control_plane_audit_unexported_records',
    help: 'Records of the log that have not been exported yet.',
    measure: async (through) => {
      const { removed, head } = await source.log.ends();
      return head.position - Math.max(through, removed.position);
    },
  });
  registerGauge(registry, source, {
    name: 'control_plane_audit_export_lag_seconds',
    help: 'Age of the oldest record of the log that has not been exported yet; 0 when there is none.',
    measure: async (through) => {
      const [oldest] = await source.log.list({ after: through, limit: 1 });
      return oldest === undefined ? 0 : Math.max(0, now() - oldest.timestamp.getTime()) / 1000;
    },
  });
}

interface LagGauge {
  readonly name: string;
  readonly help: string;
  readonly measure: (exportedThrough: number) => Promise<number>;
}

function registerGauge(
  registry: Registry,
  { leadership, exporter }: ExportMetricsSource,
  { name, help, measure }: LagGauge,
): void {
  const gauge = new Gauge({
    name,
    help,
    registers: [registry],
    async collect() {
      gauge.remove();
      const through = exporter.exportedThrough;
      if (leadership.isLeader && through !== undefined) {
        await measure(through).then((value) => gauge.set(value), tolerateAbsence);
      }
    },
  });
}

function tolerateAbsence(error: unknown): void {
  if (!(error instanceof StoreUnavailableError)) {
    throw error;
  }
}
