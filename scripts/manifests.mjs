/**
 * `npm run manifests`: renders deploy/kubernetes/palisade.yaml from the Helm chart, for clusters without Helm, and a fixture
 * with every value that adds something, for the tests. Needs `helm` 3 in PATH, or the variable HELM. A test compares the digests
 * in their first lines with the chart.
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { chartDigest } from './lib/chart-digest.mjs';
import { ROOT, run } from './lib/run.mjs';

const CHART = join(ROOT, 'deploy/helm/palisade');
const TARGET = join(ROOT, 'deploy/kubernetes/palisade.yaml');
const EVERYTHING = join(ROOT, 'test/fixtures/kubernetes/everything.yaml');
const EVERY_VALUE = join(ROOT, 'test/fixtures/kubernetes/values.yaml');
const RANDOM_LENGTH = 32;

const HELM = process.env.HELM || 'helm';

/** Exits when Helm is missing or rejects the chart. */
function template(...args) {
  const { error, status, stdout } = spawnSync(
    HELM,
    ['template', 'palisade', CHART, '--namespace', 'palisade', ...args],
    {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
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

const random = new RegExp(`\\b[A-Za-z0-9]{${RANDOM_LENGTH}}\\b`, 'g');
const everything = template('--values', EVERY_VALUE).replaceAll(random, 'x'.repeat(RANDOM_LENGTH));
writeFileSync(
  EVERYTHING,
  `# Rendered from deploy/helm/palisade and values.yaml (${chartDigest(CHART, EVERY_VALUE)}) by: npm run manifests\n${everything}`,
);
process.exitCode = await run('prettier', ['--write', '--log-level', 'warn', TARGET, EVERYTHING]);
