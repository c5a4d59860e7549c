import { Counter, Histogram, type Registry } from 'prom-client';

export interface ProviderMetricsOptions {
  /** Providers that have series of their own, the first that come. Default 200. */
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
