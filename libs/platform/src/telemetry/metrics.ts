import { METHODS } from 'node:http';
import { Controller, Get, Header, Injectable, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { PublicOrFullAdmin, type AuthenticatedRequest } from '@palisade/guards';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { StoreUnavailableError } from '@palisade/domain';
import type { FinishedRequest } from '../http/observe-requests.js';

/** The values of a metric at a scrape, with the labels of their series; undefined while there is none. */
export type Samples =
  number | undefined | readonly (readonly [labels: Readonly<Record<string, string>>, value: number])[];

/** A metric whose value is kept elsewhere. */
export interface CollectedMetric {
  readonly name: string;
  readonly help: string;
  readonly labelNames?: readonly string[];
  /** Called at each scrape. While it throws a {@link StoreUnavailableError} the metric has no values. */
  readonly read: () => Samples | Promise<Samples>;
}

export interface ProviderMetricsOptions {
  /** How many providers get series of their own: the first ones seen. Default 200. */
  readonly maxProviders?: number;
}

/** Stands for all providers without series of their own; no provider has such a name. */
const OTHER_PROVIDERS = '_other';
const DEFAULT_MAX_PROVIDERS = 200;
const DURATION_BUCKETS_SECONDS = [0.01, 0.05, 0.1, 0.5, 1, 5];

/** Requests by the provider whose credential they had: how many, with which status, and how long they took. */
export class ProviderMetrics {
  readonly #labelled = new Set<string>();
  readonly #maxProviders: number;
  readonly #requests: Counter<'provider' | 'status'>;
  readonly #durations: Histogram<'provider'>;

  constructor(registry: Registry, { maxProviders = DEFAULT_MAX_PROVIDERS }: ProviderMetricsOptions = {}) {
    this.#maxProviders = maxProviders;
    this.#requests = new Counter({
      name: 'provider_requests_total',
      help: 'Requests by the provider whose credential they had.',
      labelNames: ['provider', 'status'],
      registers: [registry],
    });
    this.#durations = new Histogram({
      name: 'provider_request_duration_seconds',
      help: 'Time from the arrival of a request of a provider to the end of its answer.',
      labelNames: ['provider'],
      buckets: DURATION_BUCKETS_SECONDS,
      registers: [registry],
    });
  }

  observe(provider: string, status: number, durationMs: number): void {
    const label = this.#labelOf(provider);
    this.#requests.inc({ provider: label, status });
    this.#durations.observe({ provider: label }, durationMs / 1000);
  }

  #labelOf(provider: string): string {
    if (!this.#labelled.has(provider)) {
      if (this.#labelled.size >= this.#maxProviders) {
        return OTHER_PROVIDERS;
      }
      this.#labelled.add(provider);
    }
    return provider;
  }
}

const KNOWN_METHODS: ReadonlySet<string> = new Set(METHODS);

/**
 * The metrics of one app in a registry of its own: process and runtime metrics, HTTP requests by method, route template and
 * status, and by provider. Labels have a bounded number of values, so clients cannot create series without limit.
 */
@Injectable()
export class Metrics {
  /** For the app's own metrics. */
  readonly registry = new Registry();
  /** For metrics that name providers: only admins may read them. */
  readonly #namingRegistry = new Registry();

  readonly #requestDuration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [this.registry],
  });

  readonly #providers = new ProviderMetrics(this.#namingRegistry);

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  gauge({ name, help, labelNames = [], read }: CollectedMetric): void {
    const registers = [this.registry];
    const gauge: Gauge = new Gauge({ name, help, labelNames, registers, collect: () => refill(gauge, read) });
  }

  counter({ name, help, labelNames = [], read }: CollectedMetric): void {
    const registers = [this.registry];
    const counter: Counter = new Counter({ name, help, labelNames, registers, collect: () => refill(counter, read) });
  }

  /** In the text format of Prometheus: those that anybody may read, and those that name providers. */
  async render(): Promise<{ readonly open: string; readonly naming: string }> {
    const [open, naming] = await Promise.all([this.registry.metrics(), this.#namingRegistry.metrics()]);
    return { open, naming };
  }

  /** Leaves out streams and long polls: they last as long as their callers want, and would look like slow requests. */
  observeRequest({ context, method, route, status, durationMs, isWaiting }: FinishedRequest): void {
    if (isWaiting && status < 500) {
      return;
    }
    const labels = { method: KNOWN_METHODS.has(method) ? method : 'other', route: route ?? 'unmatched', status };
    this.#requestDuration.observe(labels, durationMs / 1000);
    const provider = context?.logFields['provider'];
    if (provider !== undefined) {
      this.#providers.observe(provider, status, durationMs);
    }
  }
}

async function refill(metric: Counter | Gauge, read: CollectedMetric['read']): Promise<void> {
  metric.reset();
  // Without labels a reset leaves 0, which is a value.
  metric.remove({});
  try {
    const samples = await read();
    for (const [labels, value] of typeof samples === 'number' ? [[{}, samples] as const] : (samples ?? [])) {
      metric.inc(labels, value);
    }
  } catch (error) {
    if (!(error instanceof StoreUnavailableError)) {
      throw error;
    }
  }
}

/** However many callers scrape, metrics are rendered no more than once in this time. */
const CACHE_MS = 1000;

@ApiExcludeController()
@Controller('metrics')
export class MetricsController {
  #rendered: { readonly texts: ReturnType<Metrics['render']>; readonly at: number } | undefined;

  constructor(private readonly metrics: Metrics) {}

  @Get()
  @PublicOrFullAdmin('read')
  @Header('Content-Type', Registry.PROMETHEUS_CONTENT_TYPE)
  @Header('Cache-Control', 'no-store')
  async scrape(@Req() { principal }: AuthenticatedRequest): Promise<string> {
    const now = performance.now();
    if (this.#rendered === undefined || now - this.#rendered.at >= CACHE_MS) {
      this.#rendered = { texts: this.metrics.render(), at: now };
    }
    const { open, naming } = await this.#rendered.texts;
    return principal === undefined ? open : open + naming;
  }
}
