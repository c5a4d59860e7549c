/**
 * `npm run dashboards`: generates deploy/grafana/dashboards from scripts/lib/dashboards and the thresholds of
 * deploy/prometheus/alerts.yaml. A test compares them.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { renderDashboards } from './lib/dashboards/render-dashboards.mjs';
import { ROOT, run } from './lib/run.mjs';

const DIRECTORY = join(ROOT, 'deploy/grafana/dashboards');

for (const [file, dashboard] of renderDashboards()) {
  writeFileSync(join(DIRECTORY, file), `${JSON.stringify(dashboard, null, 2)}\n`);
}
process.exitCode = await run('prettier', ['--write', '--log-level', 'warn', DIRECTORY]);
