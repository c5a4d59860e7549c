import { METHODS } from 'node:http';
import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import type { FinishedRequest } from '../http/observe-requests.js';
import { ProviderMetrics } from './provider-metrics.js';

const KNOWN_METHODS: ReadonlySet<string> = new Set(METHODS);

/**
 * The metrics of one app in a registry of its own: process and runtime metrics, HTTP requests by method, route
 * template and status, and by provider. Labels take only values that are known beforehand, or so many of them, so clients
 * cannot make more series.
 */
@Injectable()
export class Metrics {
  /** For the app's own metrics. */
  readonly registry = new Registry();

  readonly #requestDuration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [this.registry],
  });

  readonly #providers = new ProviderMetrics(this.registry);

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  observeRequest({ context, method, route, status, durationMs }: FinishedRequest): void {
    const labels = { method: KNOWN_METHODS.has(method) ? method : 'other', route: route ?? 'unmatched', status };
    this.#requestDuration.observe(labels, durationMs / 1000);
    const provider = context?.logFields['provider'];
    if (provider !== undefined) {
      this.#providers.observe(provider, status, durationMs);
    }
  }
}
