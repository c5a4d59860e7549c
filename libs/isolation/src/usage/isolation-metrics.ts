import { Histogram, type Registry } from 'prom-client';
import { registerBackendMetrics } from './backend-metrics.js';
import { CollectedMetrics, type Sample } from './collected-metrics.js';
import { LabelledNamespaces, type LabelledUsages, type Totals } from './labelled-namespaces.js';
import { registerLimitMetrics } from './limit-metrics.js';
import type { BackendUsage, NamespaceUsage, UsageSnapshot } from './namespace-usage.js';
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

/** Totals that are counters: the name of the metric, the total and its unit, and what is counted. */
const COUNTERS = [
  ['isolation_requests_total', 'requests', 1, 'Pieces of work that were let in.'],
  ['isolation_errors_total', 'errors', 1, 'Pieces of work that failed or got no connection.'],
  ['isolation_aborted_total', 'aborted', 1, 'Pieces of work that were aborted.'],
  ['isolation_rows_accessed_total', 'rowsAccessed', 1, 'Rows that work has accessed.'],
  ['isolation_cpu_seconds_total', 'cpuMicros', 1e-6, 'CPU time, an estimate.'],
] as const;

const REJECTIONS_PREFIX = 'rejections/';

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
  const metrics = new CollectedMetrics(registry);
  addTotals(metrics, view, namespaceLabel);
  addUsages(metrics, view, namespaceLabel);
  registerDurations(registry, usage);
  registerBackendMetrics(registry, usage);
  registerSessionMetrics(registry, usage);
  registerLimitMetrics(registry, usage.limits);
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

function addTotals(metrics: CollectedMetrics, view: () => View, namespaceLabel: string): void {
  for (const [name, total, unit, help] of COUNTERS) {
    metrics.counter(name, help, [namespaceLabel], () =>
      seriesOf(view()).map(([namespace, totals]) => [{ [namespaceLabel]: namespace }, (totals.get(total) ?? 0) * unit]),
    );
  }
  const unattributedHelp = 'CPU time of no namespace, an estimate.';
  metrics.counter('isolation_unattributed_cpu_seconds_total', unattributedHelp, [], () => [
    [{}, view().snapshot.otherCpuSeconds],
  ]);
  const rejectionsHelp = 'Pieces of work that were not begun, or were ended by a limit.';
  metrics.counter('isolation_rejections_total', rejectionsHelp, [namespaceLabel, 'reason'], function* () {
    for (const [namespace, totals] of seriesOf(view())) {
      for (const [name, count] of totals) {
        if (name.startsWith(REJECTIONS_PREFIX)) {
          yield [{ [namespaceLabel]: namespace, reason: name.slice(REJECTIONS_PREFIX.length) }, count];
        }
      }
    }
  });
}

function addUsages(metrics: CollectedMetrics, view: () => View, namespaceLabel: string): void {
  const labelNames = [namespaceLabel, 'backend'];
  function* byBackend(samplesOf: (own: BackendUsage) => readonly Sample[]): Generator<Sample, void> {
    for (const [namespace, { connections }] of usagesOf(view())) {
      for (const own of connections) {
        for (const [labels, value] of samplesOf(own)) {
          yield [{ [namespaceLabel]: namespace, backend: own.backend, ...labels }, value];
        }
      }
    }
  }
  const heldHelp = 'Memory that the process holds for a namespace, as far as it is counted.';
  metrics.gauge('isolation_memory_held_bytes', heldHelp, [namespaceLabel], () =>
    usagesOf(view()).map(([namespace, { bytesHeld }]) => [{ [namespaceLabel]: namespace }, bytesHeld]),
  );
  metrics.gauge('isolation_connections', 'Connections of a namespace.', [...labelNames, 'state'], () =>
    byBackend(({ active, idle }) => [
      [{ state: 'active' }, active],
      [{ state: 'idle' }, idle],
    ]),
  );
  metrics.gauge('isolation_connections_max', 'Connections that a namespace may have.', labelNames, function* () {
    for (const { usage } of view().labelled) {
      for (const { backend, max } of usage.connections) {
        yield [{ [namespaceLabel]: usage.namespace, backend }, max];
      }
    }
  });
  const queueHelp = 'Pieces of work of a namespace that wait for a connection.';
  metrics.gauge('isolation_queue_length', queueHelp, labelNames, () => byBackend(({ queued }) => [[{}, queued]]));
  metrics.gauge('isolation_alerts', 'Namespaces and backends beyond a threshold.', ['kind', 'severity'], () =>
    view().snapshot.alerts.map(({ kind, severity }) => [{ kind, severity }, 1]),
  );
}

function registerDurations(registry: Registry, usage: UsageService): void {
  const histogram = new Histogram({
    name: 'isolation_request_duration_seconds',
    help: 'Time from when work was asked for until it was over, waiting included; without subscriptions.',
    labelNames: ['backend'],
    buckets: DURATION_BUCKETS_SECONDS,
    registers: [registry],
  });
  usage.onRunEnded(({ backend, durationMs }) => {
    if (durationMs !== undefined) {
      histogram.observe({ backend }, durationMs / 1000);
    }
  });
}

function* seriesOf({ labelled, otherTotals }: View): Generator<[string, Totals], void> {
  for (const { usage, totals } of labelled) {
    yield [usage.namespace, totals];
  }
  yield [OTHER_NAMESPACES, otherTotals];
}

function* usagesOf({ labelled, others }: View): Generator<[string, NamespaceUsage], void> {
  for (const { usage } of labelled) {
    yield [usage.namespace, usage];
  }
  for (const usage of others) {
    yield [OTHER_NAMESPACES, usage];
  }
}
