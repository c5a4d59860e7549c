import { describe, expect, it } from '@jest/globals';
import { Metrics } from '@palisade/platform';
import { registerDnsMetrics } from './dns.module.js';

describe(registerDnsMetrics.name, () => {
  it('counts updates by result, also before there are any', async () => {
    const metrics = new Metrics();
    const updates = { applied: 0, failed: 0 };
    registerDnsMetrics(metrics, { updates });
    const scrape = async () =>
      (await metrics.registry.metrics()).split('\n').filter((line) => line.startsWith('control_plane'));
    expect(await scrape()).toEqual([
      'control_plane_dns_updates_total{result="applied"} 0',
      'control_plane_dns_updates_total{result="failed"} 0',
    ]);
    updates.failed = 3;
    expect(await scrape()).toContain('control_plane_dns_updates_total{result="failed"} 3');
  });
});
