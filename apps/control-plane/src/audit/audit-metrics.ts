import { StoreUnavailableError, type ActionStore } from '@palisade/domain';
import { Gauge, type Registry } from 'prom-client';
import type { Leadership } from '../leadership/leadership.js';
import type { AuditExporter } from './export/audit-exporter.js';

export interface AuditMetricsSource {
  readonly actions: Pick<ActionStore, 'ends' | 'list'>;
  readonly leadership: Pick<Leadership, 'isLeader'>;
  readonly exporter: Pick<AuditExporter, 'exportedThrough'>;
  readonly now?: () => number;
}

/**
 * Adds how far the export of action records is behind to a registry. Only the leader exports, so it alone tells; it does
 * not while the store is away, nor before it knows where the export ends.
 */
export function registerAuditMetrics(registry: Registry, { now = Date.now, ...source }: AuditMetricsSource): void {
  registerGauge(registry, source, {
    name: 'control_plane_audit_unexported_records',
    help: 'Action records that have not been exported yet.',
    measure: async (through) => {
      const { start, head } = await source.actions.ends();
      return head.sequence - Math.max(through, start.sequence - 1);
    },
  });
  registerGauge(registry, source, {
    name: 'control_plane_audit_export_lag_seconds',
    help: 'Age of the oldest action record that has not been exported yet; 0 when there is none.',
    measure: async (through) => {
      const [oldest] = await source.actions.list({ after: through, limit: 1 });
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
  { leadership, exporter }: AuditMetricsSource,
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
