import { Counter, Gauge, type Registry } from 'prom-client';

/** A value at the moment of a scrape, and the labels of its series. Values of one series add up. */
export type Sample = readonly [labels: Readonly<Record<string, string>>, value: number];

/** Metrics of a registry whose values are kept elsewhere: `samples` is called at each scrape. */
export class CollectedMetrics {
  constructor(private readonly registry: Registry) {}

  counter(name: string, help: string, labelNames: readonly string[], samples: () => Iterable<Sample>): void {
    const registers = [this.registry];
    const counter: Counter = new Counter({
      name,
      help,
      labelNames,
      registers,
      collect: () => refill(counter, samples()),
    });
  }

  gauge(name: string, help: string, labelNames: readonly string[], samples: () => Iterable<Sample>): void {
    const registers = [this.registry];
    const gauge: Gauge = new Gauge({ name, help, labelNames, registers, collect: () => refill(gauge, samples()) });
  }
}

function refill(metric: Counter | Gauge, samples: Iterable<Sample>): void {
  metric.reset();
  for (const [labels, value] of samples) {
    metric.inc(labels, value);
  }
}
