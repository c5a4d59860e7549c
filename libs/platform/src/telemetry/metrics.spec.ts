import { describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { ProviderMetrics } from './metrics.js';

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
