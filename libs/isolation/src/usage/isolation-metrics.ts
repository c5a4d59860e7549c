import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { registerBackendMetrics } from './backend-metrics.js';
import { LabelledNamespaces, type LabelledUsages, type Totals } from './labelled-namespaces.js';
import { registerLimitMetrics } from './limit-metrics.js';
import type { NamespaceUsage, UsageSnapshot } from './namespace-usage.js';
import { registerSessionMetrics } from './session-metrics.js';
import type { UsageService } from './usage.service.js';

export interface IsolationMetricsOptions {
  /** Namespaces that have series of their own at a time, the busiest. Default 100. */
  readonly maxNamespaces?: number;
  /** The name of the label that tells namespaces apart. Default `namespace`. */
  readonly namespaceLabel?: string;
}

/** Stands for all namespaces without series of their own; no namespace has such a name. */
export const OTHER_NAMESPACES = '_other';

const DEFAULT_MAX_NAMESPACES = 100;
const DURATION_BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Totals that are counters, by the name of the metric. */
const COUNTERS = new Map([
  ['isolation_requests_total', { total: 'requests', unit: 1, help: 'Pieces of work that were let in.' }],
  ['isolation_errors_total', { total: 'errors', unit: 1, help: 'Pieces of work that failed or got no connection.' }],
  ['isolation_aborted_total', { total: 'aborted', unit: 1, help: 'Pieces of work that were aborted.' }],
  ['isolation_rows_accessed_total', { total: 'rowsAccessed', unit: 1, help: 'Rows that work has accessed.' }],
  ['isolation_cpu_seconds_total', { total: 'cpuMicros', unit: 1e-6, help: 'CPU time, an estimate.' }],
]);

/** What one scrape tells. */
interface View extends LabelledUsages {
  readonly snapshot: UsageSnapshot;
}

/**
 * Adds the usage of namespaces, backends, sessions and limits to a registry. However many namespaces there are, at most `maxNamespaces` have series of
 * their own at a time; the others are counted together as `_other`. Counters never decrease.
 */
export function registerIsolationMetrics(
  registry: Registry,
  usage: UsageService,
  { maxNamespaces = DEFAULT_MAX_NAMESPACES, namespaceLabel = 'namespace' }: IsolationMetricsOptions = {},
): void {
  const view = createView(usage, new LabelledNamespaces(maxNamespaces));
  const context = { registry, view, namespaceLabel };
  registerCounters(context);
  registerRejections(context);
  registerGauges(context);
  registerConnections(context);
  registerAlerts(context);
  registerDurations(registry, usage);
  registerBackendMetrics(registry, usage);
  registerSessionMetrics(registry, usage);
  registerLimitMetrics(registry, usage.limits);
}

interface Context {
  readonly registry: Registry;
  readonly view: () => View;
  readonly namespaceLabel: string;
}

/** All metrics of one scrape tell of the same moment. */
function createView(usage: UsageService, labels: LabelledNamespaces): () => View {
  let current: View | undefined = undefined;
  return () => {
    if (current === undefined) {
      const snapshot = usage.snapshot({ maxNamespaces: Infinity });
      current = { snapshot, ...labels.update(snapshot.namespaces, snapshot.totals) };
      queueMicrotask(() => (current = undefined));
    }
    return current;
  };
}

function registerCounters({ registry, view, namespaceLabel }: Context): void {
  for (const [name, { total, unit, help }] of COUNTERS) {
    const counter = new Counter({
      name,
      help,
      labelNames: [namespaceLabel],
      registers: [registry],
      collect() {
        counter.reset();
        for (const [namespace, totals] of seriesOf(view())) {
          counter.inc({ [namespaceLabel]: namespace }, (totals.get(total) ?? 0) * unit);
        }
      },
    });
  }
  const unattributed = new Counter({
    name: 'isolation_unattributed_cpu_seconds_total',
    help: 'CPU time of no namespace, an estimate.',
    registers: [registry],
    collect() {
      unattributed.reset();
      unattributed.inc(view().snapshot.otherCpuSeconds);
    },
  });
}

function registerRejections({ registry, view, namespaceLabel }: Context): void {
  const prefix = 'rejections/';
  const counter = new Counter({
    name: 'isolation_rejections_total',
    help: 'Pieces of work that were not begun, or were ended by a limit.',
    labelNames: [namespaceLabel, 'reason'],
    registers: [registry],
    collect() {
      counter.reset();
      for (const [namespace, totals] of seriesOf(view())) {
        for (const [name, count] of totals) {
          if (name.startsWith(prefix)) {
            counter.inc({ [namespaceLabel]: namespace, reason: name.slice(prefix.length) }, count);
          }
        }
      }
    },
  });
}

function registerGauges({ registry, view, namespaceLabel }: Context): void {
  const held = new Gauge({
    name: 'isolation_memory_held_bytes',
    help: 'Memory that the process holds for a namespace, as far as it is counted.',
    labelNames: [namespaceLabel],
    registers: [registry],
    collect() {
      held.reset();
      eachUsage(view(), (namespace, { bytesHeld }) => held.inc({ [namespaceLabel]: namespace }, bytesHeld));
    },
  });
}

function registerConnections({ registry, view, namespaceLabel }: Context): void {
  const labelNames = [namespaceLabel, 'backend'];
  const connections = new Gauge({
    name: 'isolation_connections',
    help: 'Connections of a namespace.',
    labelNames: [...labelNames, 'state'],
    registers: [registry],
    collect() {
      connections.reset();
      eachUsage(view(), (namespace, usage) => {
        for (const { backend, active, idle } of usage.connections) {
          const labels = { [namespaceLabel]: namespace, backend };
          connections.inc({ ...labels, state: 'active' }, active);
          connections.inc({ ...labels, state: 'idle' }, idle);
        }
      });
    },
  });
  const max = new Gauge({
    name: 'isolation_connections_max',
    help: 'Connections that a namespace may have.',
    labelNames,
    registers: [registry],
    collect() {
      max.reset();
      for (const { usage } of view().labelled) {
        for (const own of usage.connections) {
          max.set({ [namespaceLabel]: usage.namespace, backend: own.backend }, own.max);
        }
      }
    },
  });
  const queue = new Gauge({
    name: 'isolation_queue_length',
    help: 'Pieces of work of a namespace that wait for a connection.',
    labelNames,
    registers: [registry],
    collect() {
      queue.reset();
      eachUsage(view(), (namespace, usage) => {
        for (const { backend, queued } of usage.connections) {
          queue.inc({ [namespaceLabel]: namespace, backend }, queued);
        }
      });
    },
  });
}

function registerAlerts({ registry, view }: Context): void {
  const gauge = new Gauge({
    name: 'isolation_alerts',
    help: 'Namespaces and backends beyond a threshold.',
    labelNames: ['kind', 'severity'],
    registers: [registry],
    collect() {
      gauge.reset();
      for (const { kind, severity } of view().snapshot.alerts) {
        gauge.inc({ kind, severity });
      }
    },
  });
}

function registerDurations(registry: Registry, usage: UsageService): void {
  const histogram = new Histogram({
    name: 'isolation_request_duration_seconds',
    help: 'Time from when work was asked for until it was over, waiting included.',
    labelNames: ['backend'],
    buckets: DURATION_BUCKETS_SECONDS,
    registers: [registry],
  });
  usage.onRunEnded(({ backend, durationMs }) => histogram.observe({ backend }, durationMs / 1000));
}

function* seriesOf({ labelled, otherTotals }: View): Generator<[string, Totals], void> {
  for (const { usage, totals } of labelled) {
    yield [usage.namespace, totals];
  }
  yield [OTHER_NAMESPACES, otherTotals];
}

function eachUsage({ labelled, others }: View, tell: (namespace: string, usage: NamespaceUsage) => void): void {
  for (const { usage } of labelled) {
    tell(usage.namespace, usage);
  }
  for (const usage of others) {
    tell(OTHER_NAMESPACES, usage);
  }
}
