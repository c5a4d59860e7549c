import { Counter, Gauge, type Registry } from 'prom-client';
import type { ResourceWatch } from './resource-watch.js';

/** Adds what watches say of themselves to a registry. Only the leader watches, so only it has the gauges. */
export function registerWatchMetrics(registry: Registry, watches: readonly ResourceWatch<unknown>[]): void {
  const staleness = new Gauge({
    name: 'kubernetes_watch_staleness_seconds',
    help: 'Time since the API server last gave a sign of life to a watch; more than 60 means that it is away.',
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
    help: 'Objects that a watch knows.',
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
    help: 'Times that a watch had to begin anew, for whatever reason.',
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
