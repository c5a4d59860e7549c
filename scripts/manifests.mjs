/**
 * `npm run manifests`: renders deploy/kubernetes/palisade.yaml from the Helm chart, for clusters without Helm. Needs `helm` 3
 * in PATH, or the variable HELM. A test compares the digest in its first line with the chart.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { chartDigest } from './lib/chart-digest.mjs';
import { ROOT, run } from './lib/run.mjs';

const CHART = join(ROOT, 'deploy/helm/palisade');
const TARGET = join(ROOT, 'deploy/kubernetes/palisade.yaml');

const template = (...args) =>
  execFileSync(
    process.env.HELM || 'helm',
    ['template', 'palisade', CHART, '--namespace', 'palisade', '--kube-version', '1.33', ...args],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
  );

const migrations = template('--show-only', 'templates/migrations.yaml').replaceAll(
  /^ {2}annotations:\n(?: {4}helm\.sh\/hook.*\n)+/gm,
  '',
);
const header = `# Rendered from deploy/helm/palisade (${chartDigest(CHART)}) by: npm run manifests
# kubectl create namespace palisade; then the Secret and this file into it. Run the migration job before anything else.
`;
writeFileSync(TARGET, header + migrations + template('--no-hooks'));
process.exitCode = await run('prettier', ['--write', '--log-level', 'warn', TARGET]);
