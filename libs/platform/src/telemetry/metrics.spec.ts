import { describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { StoreUnavailableError } from '@palisade/domain';
import { Metrics, ProviderMetrics } from './metrics.js';

function create(maxProviders?: number) {
  const registry = new Registry();
  const metrics = new ProviderMetrics(registry, { maxProviders });
  const read = async (): Promise<string[]> =>
    (await registry.metrics()).split('\n').filter((line) => !line.startsWith('#'));
  return { metrics, read };
}

describe(ProviderMetrics.name, () => {
  it('counts requests of a provider by status', async () => {
    const { metrics, read } = create();
    metrics.observe('entra', 201, 3);
    metrics.observe('entra', 201, 3);
    metrics.observe('entra', 409, 3);
    expect(await read()).toEqual(
      expect.arrayContaining([
        'provider_requests_total{provider="entra",status="201"} 2',
        'provider_requests_total{provider="entra",status="409"} 1',
      ]),
    );
  });

  it('tells how long requests of a provider took', async () => {
    const { metrics, read } = create();
    metrics.observe('entra', 200, 20);
    expect(await read()).toEqual(
      expect.arrayContaining([
        'provider_request_duration_seconds_bucket{le="0.01",provider="entra"} 0',
        'provider_request_duration_seconds_bucket{le="0.05",provider="entra"} 1',
        'provider_request_duration_seconds_sum{provider="entra"} 0.02',
      ]),
    );
  });

  it('counts providers beyond the bound together', async () => {
    const { metrics, read } = create(1);
    metrics.observe('entra', 200, 3);
    metrics.observe('okta', 200, 3);
    metrics.observe('ping', 200, 3);
    metrics.observe('entra', 200, 3);
    expect((await read()).filter((line) => line.startsWith('provider_requests_total'))).toEqual([
      'provider_requests_total{provider="entra",status="200"} 2',
      'provider_requests_total{provider="_other",status="200"} 2',
    ]);
  });
});

describe(Metrics.name, () => {
  const lines = async (metrics: Metrics) =>
    (await metrics.registry.metrics()).split('\n').filter((line) => line.startsWith('own'));

  it('reads collected metrics at each scrape', async () => {
    const metrics = new Metrics();
    let value = 1;
    metrics.gauge({ name: 'own_gauge', help: 'h', read: () => value });
    metrics.counter({ name: 'own_counter', help: 'h', labelNames: ['kind'], read: () => [[{ kind: 'a' }, value]] });

    expect(await lines(metrics)).toEqual(['own_gauge 1', 'own_counter{kind="a"} 1']);
    value = 3;
    expect(await lines(metrics)).toEqual(['own_gauge 3', 'own_counter{kind="a"} 3']);
  });

  it('leaves out a metric that has no value, or whose store is unavailable', async () => {
    const metrics = new Metrics();
    metrics.gauge({ name: 'own_gauge', help: 'h', read: () => undefined });
    metrics.counter({ name: 'own_counter', help: 'h', read: () => Promise.reject(new StoreUnavailableError(1)) });

    expect(await lines(metrics)).toEqual([]);
  });
});
