import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { validate } from 'dockerfile-utils';
import { readText } from './support/compose-file.js';
import { contextSourcesOf, createIgnoreFilter, lastStageOf, parseDockerfile } from './support/dockerfile.js';

const ROOT = join(import.meta.dirname, '..');
const isIgnored = createIgnoreFilter(readText('.dockerignore'));

describe.each([
  ['deploy/scim-service.Dockerfile', 'scim-service', 'dist/apps/scim-service/src/main.js', 'SVC_SCIM_LISTEN'],
  ['deploy/control-plane.Dockerfile', 'control-plane', 'dist/apps/control-plane/src/main.js', 'SVC_CONTROL_LISTEN'],
  ['deploy/data-proxy.Dockerfile', 'data-proxy', 'dist/examples/data-proxy/src/main.js', 'DATA_PROXY_LISTEN'],
])('%s', (file, app, main, listen) => {
  const content = readText(file);
  const instructions = parseDockerfile(content);
  const image = lastStageOf(instructions);
  const textsOf = (name: string): string[] => image.filter((each) => each.name === name).map(({ text }) => text);

  it('is what a builder takes', () => {
    expect(validate(content)).toEqual([]);
  });

  it('begins with Node.js 24, of one release of Debian', () => {
    const bases = instructions.filter(({ name }) => name === 'FROM').map(({ text }) => text.split(' ')[0]);
    expect(new Set(bases)).toEqual(new Set(['node:24-trixie-slim']));
  });

  it('copies what is in the workspace and let through by .dockerignore', () => {
    const sources = instructions.flatMap(contextSourcesOf);
    expect(sources.filter((source) => !existsSync(join(ROOT, source)))).toEqual([]);
    expect(sources.filter((source) => isIgnored(source))).toEqual([]);
  });

  it('builds the app that it starts', () => {
    expect(instructions).toContainEqual({ name: 'RUN', text: `node_modules/.bin/nest build ${app}`, stage: 0 });
    expect(existsSync(join(ROOT, main.replace(/^dist\//, '').replace(/js$/, 'ts')))).toBe(true);
    expect((JSON.parse(textsOf('CMD')[0] ?? '[]') as string[]).at(-1)).toBe(main);
  });

  it('takes nothing but the built app and the dependencies of production from the stages before', () => {
    expect(textsOf('COPY').filter((text) => text.startsWith('--from'))).toEqual([
      '--from=dependencies /app/node_modules node_modules',
      '--from=build /app/dist dist',
    ]);
    expect(instructions.filter(({ stage }) => stage === 1).find(({ name }) => name === 'RUN')?.text).toContain(
      'npm ci --omit=dev --omit=optional --ignore-scripts',
    );
  });

  it('runs as a user without privileges, and is told to stop by SIGTERM', () => {
    expect(textsOf('USER')).toEqual(['node']);
    expect(image.findIndex(({ name }) => name === 'USER')).toBeGreaterThan(
      image.findLastIndex(({ name }) => name === 'RUN' || name === 'COPY'),
    );
    expect(textsOf('STOPSIGNAL')).toEqual(['SIGTERM']);
  });

  it('asks for its health at the port that it exposes', () => {
    const port = new RegExp(String.raw`${listen}=0\.0\.0\.0:(\d+)`).exec(textsOf('ENV')[0] ?? '')?.[1];
    expect(textsOf('EXPOSE')).toEqual([port]);
    expect(textsOf('HEALTHCHECK')[0]).toContain(`CMD ["node", "deploy/healthcheck.mjs", "${listen}"]`);
  });

  it('says what the image is', () => {
    for (const label of ['title', 'description', 'licenses', 'version']) {
      expect(textsOf('LABEL')[0]).toContain(`org.opencontainers.image.${label}="`);
    }
  });
});

describe('Dockerfiles', () => {
  it('install dependencies with the same steps, so that images share the layer', () => {
    const stages = globSync('deploy/*.Dockerfile', { cwd: ROOT }).map((file) =>
      parseDockerfile(readText(file)).filter(({ stage }) => stage === 1),
    );
    expect(stages).toHaveLength(3);
    expect(stages).toEqual([stages[0], stages[0], stages[0]]);
  });
});

describe('.dockerignore', () => {
  it.each([
    '.env',
    '.git/config',
    '.palisade/admin-token',
    'node_modules/pg/package.json',
    'dist/apps/scim-service/src/main.js',
    'deploy/compose/kafka.sh',
    'docs/security.md',
    'apps/control-plane/test/access.e2e-spec.ts',
    'libs/scim/src/filter/parse-filter.spec.ts',
    'examples/data-proxy/README.md',
  ])('leaves %s out', (path) => {
    expect(isIgnored(path)).toBe(true);
  });

  it.each(['package-lock.json', 'apps/scim-service/src/main.ts', 'libs/scim/src/index.ts', 'deploy/healthcheck.mjs'])(
    'lets %s through',
    (path) => {
      expect(isIgnored(path)).toBe(false);
    },
  );
});
