import { setTimeout as sleep } from 'node:timers/promises';
import { startPalisade } from '../../lib/palisade.mjs';
import { formatMs } from '../../lib/finding.mjs';
import { residentMib } from '../../lib/memory.mjs';
import { progress } from '../../lib/progress.mjs';
import { median } from '../../lib/statistics.mjs';

const SETTLE_MS = 1000;

/**
 * From the start of the process to readiness, and what it occupies a second later.
 *
 * @param {import('../run.mjs').Context} context
 * @param {string} databaseUrl with the schema in place
 * @returns {Promise<import('../../lib/finding.mjs').Finding[]>}
 */
export async function measureStart({ workspace, plan }, databaseUrl) {
  progress(`starting the service ${plan.starts} times`);
  const times = [];
  const sizes = [];
  for (let start = 0; start < plan.starts; start++) {
    const service = await startPalisade(workspace, databaseUrl);
    times.push(service.startMs);
    await sleep(SETTLE_MS);
    sizes.push(residentMib(service.pid));
    await service.stop();
  }
  return [
    {
      key: 'start_to_ready_ms',
      name: 'start to ready on an existing PostgreSQL',
      ours: formatMs(median(times)),
      beside: `slowest of ${plan.starts}: ${formatMs(Math.max(...times))}`,
      value: median(times),
      unit: 'ms',
      target: { atMost: 1500 },
    },
    {
      key: 'rss_after_start_mb',
      name: 'resident memory after start',
      ours: `${median(sizes).toFixed(0)} MB`,
      beside: `largest of ${plan.starts}: ${Math.max(...sizes).toFixed(0)} MB`,
      value: median(sizes),
      unit: 'MB',
      target: { atMost: 150 },
    },
  ];
}
