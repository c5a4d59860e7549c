import { Counter, Gauge, type Registry } from 'prom-client';
import type { ResourceWatch } from './resource-watch.js';

/** Registers metrics of watches. Only the leader watches, so only it has the gauges. */
export function registerWatchMetrics(registry: Registry, watches: readonly ResourceWatch<unknown>[]): void {
  const staleness = new Gauge({
    name: 'kubernetes_watch_staleness_seconds',
    help: 'Time since the API server last answered a watch; more than 60 means that it is unreachable.',
    labelNames: ['resource'],
    registers: [registry],
    collect() {
      staleness.reset();
      for (const { label, health } of watches) {
        const ms = health.stalenessMs();
        if (ms !== undefined) {
          staleness.set({ resource: label }, ms / 1000);
        }
      }
    },
  });
  const objects = new Gauge({
    name: 'kubernetes_watch_objects',
    help: 'Number of objects that a watch knows.',
    labelNames: ['resource'],
    registers: [registry],
    collect() {
      objects.reset();
      for (const watch of watches.filter(({ health }) => health.stalenessMs() !== undefined)) {
        objects.set({ resource: watch.label }, watch.objects.size);
      }
    },
  });
  const interruptions = new Counter({
    name: 'kubernetes_watch_interruptions_total',
    help: 'Number of times that a watch had to restart, for whatever reason.',
    labelNames: ['resource'],
    registers: [registry],
    collect() {
      interruptions.reset();
      for (const { label, health } of watches) {
        interruptions.inc({ resource: label }, health.interruptions);
      }
    },
  });
}
