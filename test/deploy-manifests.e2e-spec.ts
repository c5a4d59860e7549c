import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Ajv, type ValidateFunction } from 'ajv';
import { parseAllDocuments } from 'yaml';
import { chartDigest } from '../scripts/lib/chart-digest.mjs';

const ROOT = join(import.meta.dirname, '..');
const SCHEMA = JSON.parse(readFileSync(join(ROOT, 'test/fixtures/kubernetes/v1.33.schema.json'), 'utf8')) as {
  readonly kinds: Readonly<Record<string, string>>;
  readonly definitions: object;
};
const FILES = globSync('deploy/kubernetes/**/*.yaml', { cwd: ROOT }).toSorted();

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec?: { readonly template?: { readonly spec: PodSpec } };
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

describe('deploy/kubernetes/palisade.yaml', () => {
  const file = 'deploy/kubernetes/palisade.yaml';

  it('is rendered from the chart as it is (npm run manifests)', () => {
    expect(readFileSync(join(ROOT, file), 'utf8')).toContain(`(${chartDigest(join(ROOT, 'deploy/helm/palisade'))})`);
  });

  it('runs everything without privileges, on a file system that it cannot change', () => {
    const pods = read(file).flatMap(({ spec }) => spec?.template?.spec ?? []);
    expect(pods).toHaveLength(3);
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
