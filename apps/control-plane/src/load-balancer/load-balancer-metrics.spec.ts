import { describe, expect, it } from '@jest/globals';
import type { LoadBalancerVersion } from '@palisade/domain';
import { Registry } from 'prom-client';
import { registerLoadBalancerMetrics } from './load-balancer-metrics.js';
import type { LoadBalancerListener } from './load-balancer.js';

const VERSION: LoadBalancerVersion = {
  id: '1',
  revision: 1,
  hash: '',
  type: 'haproxy',
  method: 'reload',
  result: 'applied',
  actor: 'test',
  at: new Date('2026-11-20T08:30:00Z'),
  durationMs: 20,
};

function create() {
  const registry = new Registry();
  const listeners: LoadBalancerListener[] = [];
  registerLoadBalancerMetrics(registry, { listen: (listener) => void listeners.push(listener) });
  const scrape = async (name: string): Promise<string[]> =>
    (await registry.metrics()).split('\n').filter((line) => line.startsWith(`control_plane_load_balancer_${name}`));
  const change = (version: Partial<LoadBalancerVersion>): void =>
    listeners.forEach((listener) => listener.onChange({ ...VERSION, ...version }));
  const find: LoadBalancerListener['onSearched'] = (drifts) =>
    listeners.forEach((listener) => listener.onSearched(drifts));
  return { scrape, change, find };
}

describe(registerLoadBalancerMetrics.name, () => {
  it('counts changes by method and result', async () => {
    const { scrape, change } = create();
    change({ method: 'maps' });
    change({ method: 'maps' });
    change({ method: 'reload', result: 'rolled_back' });
    expect((await scrape('changes_total')).filter((line) => !line.endsWith(' 0'))).toEqual([
      'control_plane_load_balancer_changes_total{method="maps",result="applied"} 2',
      'control_plane_load_balancer_changes_total{method="reload",result="rolled_back"} 1',
    ]);
  });

  it('has every series from the start', async () => {
    const { scrape } = create();
    expect(await scrape('changes_total')).toHaveLength(20);
    expect(await scrape('drifts_total')).toHaveLength(4);
  });

  it('counts what has drifted by kind', async () => {
    const { scrape, find } = create();
    find([]);
    find([
      { kind: 'map', detail: 'a route is missing' },
      { kind: 'map', detail: 'another one too' },
      { kind: 'file', detail: 'edited' },
    ]);
    expect((await scrape('drifts_total')).filter((line) => !line.endsWith(' 0'))).toEqual([
      'control_plane_load_balancer_drifts_total{kind="file"} 1',
      'control_plane_load_balancer_drifts_total{kind="map"} 2',
    ]);
  });

  it('tells when the load balancer last did what it was to, and nothing before that', async () => {
    const { scrape, change } = create();
    change({ result: 'failed' });
    expect(await scrape('success')).toEqual([]);
    change({ result: 'unchanged', method: 'none' });
    change({ result: 'rejected', at: new Date('2026-11-20T09:00:00Z') });
    expect(await scrape('success')).toEqual(['control_plane_load_balancer_success_timestamp_seconds 1795163400']);
  });
});
