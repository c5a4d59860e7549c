/**
 * `npm run manifests`: renders deploy/kubernetes/palisade.yaml from the Helm chart, for clusters without Helm. Needs `helm` 3
 * in PATH, or the variable HELM. A test compares the digest in its first line with the chart.
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { chartDigest } from './lib/chart-digest.mjs';
import { ROOT, run } from './lib/run.mjs';

const CHART = join(ROOT, 'deploy/helm/palisade');
const TARGET = join(ROOT, 'deploy/kubernetes/palisade.yaml');

const HELM = process.env.HELM || 'helm';

/** Exits when Helm is missing or rejects the chart. */
function template(...args) {
  const options = ['--namespace', 'palisade', '--kube-version', '1.33', ...args];
  const { error, status, stdout } = spawnSync(HELM, ['template', 'palisade', CHART, ...options], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (error !== undefined) {
    console.error(
      `${HELM} cannot be run (${error.code}). Install Helm 3, or name it: HELM=/path/to/helm npm run manifests`,
    );
    process.exit(1);
  }
  if (status !== 0) {
    process.exit(1);
  }
  return stdout;
}

const migrations = template('--show-only', 'templates/migrations.yaml').replaceAll(
  /^ {2}annotations:\n(?: {4}helm\.sh\/hook.*\n)+/gm,
  '',
);
const header = `# Rendered from deploy/helm/palisade (${chartDigest(CHART)}) by: npm run manifests
# kubectl create namespace palisade; then the Secret and this file into it. Run the migration job before anything else.
`;
writeFileSync(TARGET, header + migrations + template('--no-hooks'));
process.exitCode = await run('prettier', ['--write', '--log-level', 'warn', TARGET]);
