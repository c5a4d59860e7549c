import type { Metrics, Samples } from '@palisade/platform';
import type { ResourceWatch } from './resource-watch.js';

type Watches = readonly ResourceWatch<unknown>[];

/** Registers metrics of watches. Only the leader watches, so only it has the gauges. */
export function registerWatchMetrics(metrics: Pick<Metrics, 'counter' | 'gauge'>, watches: Watches): void {
  const labelNames = ['resource'];
  const read = (valueOf: (watch: Watches[number], stalenessMs?: number) => number | undefined) => (): Samples =>
    watches.flatMap((watch) => {
      const value = valueOf(watch, watch.health.stalenessMs());
      return value === undefined ? [] : [[{ resource: watch.label }, value] as const];
    });
  metrics.gauge({
    name: 'kubernetes_watch_staleness_seconds',
    help: 'Time since the API server last answered a watch; more than 60 means that it is unreachable.',
    labelNames,
    read: read((_, stalenessMs) => stalenessMs && stalenessMs / 1000),
  });
  metrics.gauge({
    name: 'kubernetes_watch_objects',
    help: 'Number of objects that a watch knows.',
    labelNames,
    read: read((watch, stalenessMs) => (stalenessMs === undefined ? undefined : watch.objects.size)),
  });
  metrics.counter({
    name: 'kubernetes_watch_interruptions_total',
    help: 'Number of times that a watch had to restart, for whatever reason.',
    labelNames,
    read: read(({ health }) => health.interruptions),
  });
}
