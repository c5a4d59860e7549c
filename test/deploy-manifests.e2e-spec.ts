import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Ajv, type ValidateFunction } from 'ajv';
import { parseAllDocuments } from 'yaml';
import { chartDigest } from '../scripts/lib/chart-digest.mjs';

const ROOT = join(import.meta.dirname, '..');
const SCHEMA = JSON.parse(readFileSync(join(ROOT, 'test/fixtures/kubernetes/v1.34.schema.json'), 'utf8')) as {
  readonly kinds: Readonly<Record<string, string>>;
  readonly definitions: object;
};
const CHART = join(ROOT, 'deploy/helm/palisade');
/** The chart with every value that adds something. */
const EVERYTHING = { file: 'test/fixtures/kubernetes/everything.yaml', values: 'test/fixtures/kubernetes/values.yaml' };
const FILES = [...globSync('deploy/kubernetes/**/*.yaml', { cwd: ROOT }).toSorted(), EVERYTHING.file];

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec?: {
    readonly template?: { readonly spec: PodSpec };
    readonly jobTemplate?: { readonly spec: { readonly template: { readonly spec: PodSpec } } };
  };
}

interface PodSpec {
  readonly securityContext?: object;
  readonly containers: readonly { readonly name: string; readonly securityContext?: object }[];
}

const ajv = new Ajv({ strict: false });
ajv.addSchema({ definitions: SCHEMA.definitions }, 'kubernetes');

function validatorOf({ apiVersion, kind }: Manifest): ValidateFunction | undefined {
  return ajv.getSchema(`kubernetes#/definitions/${SCHEMA.kinds[`${apiVersion}/${kind}`]}`);
}

function read(file: string): Manifest[] {
  return parseAllDocuments(readFileSync(join(ROOT, file), 'utf8'))
    .map((document) => document.toJS() as Manifest | null)
    .filter((manifest) => manifest !== null);
}

describe.each(FILES)('%s', (file) => {
  it.each(read(file).map((manifest) => [`${manifest.kind} ${manifest.metadata.name}`, manifest] as const))(
    'has a valid %s',
    (_, manifest) => {
      const validate = validatorOf(manifest);
      expect({ kind: manifest.kind, isKnown: validate !== undefined }).toEqual({ kind: manifest.kind, isKnown: true });
      expect(validate?.(manifest) === true ? [] : validate?.errors).toEqual([]);
    },
  );
});

describe.each([
  { file: 'deploy/kubernetes/palisade.yaml', digest: chartDigest(CHART), pods: 3 },
  { file: EVERYTHING.file, digest: chartDigest(CHART, join(ROOT, EVERYTHING.values)), pods: 4 },
])('$file', ({ file, digest, pods: count }) => {
  it('is rendered from the chart as it is (npm run manifests)', () => {
    expect(readFileSync(join(ROOT, file), 'utf8').split('\n')[0]).toContain(`(${digest})`);
  });

  it('runs everything without privileges, on a file system that it cannot change', () => {
    const pods = read(file).flatMap(({ spec }) => spec?.template?.spec ?? spec?.jobTemplate?.spec.template.spec ?? []);
    expect(pods).toHaveLength(count);
    for (const { securityContext, containers } of pods) {
      expect(securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
      for (const container of containers) {
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
      }
    }
  });
});

describe(EVERYTHING.file, () => {
  const manifests = read(EVERYTHING.file);

  it('has one of everything that the chart can add', () => {
    const kinds = [...new Set(manifests.map(({ kind }) => kind))].toSorted();
    expect(kinds.join(' ')).toBe(
      'ConfigMap CronJob Deployment HTTPRoute Ingress NetworkPolicy PodDisruptionBudget PrometheusRule Role RoleBinding ' +
        'Secret Service ServiceAccount ServiceMonitor StatefulSet',
    );
  });

  it('runs no migration before the database of the chart exists', () => {
    expect(manifests.some(({ kind }) => kind === 'Job')).toBe(false);
  });
});

/**
 * With PALISADE_TEST_KUBECONFIG, the API server of that file's current context is asked too, as an administrator. It stores
 * nothing but a namespace, which is removed.
 */
const KUBECONFIG = process.env.PALISADE_TEST_KUBECONFIG ?? '';
if (KUBECONFIG !== '') {
  describe('a real API server', () => {
    /** Kinds of these are known only where their operators are installed. */
    const OPERATORS = new Set(['gateway.networking.k8s.io/v1', 'monitoring.coreos.com/v1']);
    const namespace = `palisade-${randomUUID().slice(0, 8)}`;
    const kubectl = (args: readonly string[], input?: string) =>
      execFileSync('kubectl', ['--kubeconfig', KUBECONFIG, '--namespace', namespace, ...args], {
        encoding: 'utf8',
        input,
      });

    beforeAll(() => void kubectl(['create', 'namespace', namespace]));
    afterAll(() => void kubectl(['delete', 'namespace', namespace, '--wait=false']));

    it.each(FILES)('accepts each object of %s', (file) => {
      const known = kubectl(['api-versions']).split('\n');
      const accepted = read(file).filter(({ apiVersion }) => !OPERATORS.has(apiVersion) || known.includes(apiVersion));
      expect(accepted).not.toEqual([]);
      const objects = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: accepted });
      const printed = kubectl(
        ['apply', '--server-side', '--dry-run=server', '--validate=strict', '--output=name', '--filename=-'],
        objects.replaceAll('"namespace":"palisade"', `"namespace":"${namespace}"`),
      );
      expect(printed.trim().split('\n')).toHaveLength(accepted.length);
    });
  });
}
