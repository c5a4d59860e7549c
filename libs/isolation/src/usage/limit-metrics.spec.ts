import { describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { registerLimitMetrics } from './limit-metrics.js';

async function scrape(limits: Parameters<typeof registerLimitMetrics>[1]): Promise<string[]> {
  const registry = new Registry();
  registerLimitMetrics(registry, limits);
  return (await registry.metrics()).split('\n').filter((line) => line.startsWith('isolation_'));
}

describe(registerLimitMetrics.name, () => {
  it('tells what a namespace may take', async () => {
    expect(await scrape({ maxRps: 100, cores: 0.5, bytes: 2048 })).toEqual([
      'isolation_namespace_max_requests_per_second 100',
      'isolation_namespace_max_cpu_cores 0.5',
      'isolation_namespace_max_memory_bytes 2048',
    ]);
  });

  it('leaves out what is not limited', async () => {
    expect(await scrape({ bytes: 2048 })).toEqual(['isolation_namespace_max_memory_bytes 2048']);
  });
});
