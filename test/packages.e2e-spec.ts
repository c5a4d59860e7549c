import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { parseNamespaceId } from '@palisade/domain';
import { publint } from 'publint';
import { Services } from '../cli/test/support/services.js';
import { TenantDatabase } from '../libs/isolation/test/support/tenant-database.js';
import { renderApiReports, type ApiReport } from '../scripts/lib/api-reports.mjs';
import {
  bytesOf,
  Consumer,
  examplesOf,
  importsOf,
  installsOf,
  promisedOutput,
  readManifest,
  run,
  type Packed,
  type Run,
} from './support/packed-packages.js';

const ROOT = join(import.meta.dirname, '..');
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');
const FOLDERS = readManifest().workspaces ?? [];
const ACME = parseNamespaceId('acme');
const MEBIBYTE = 1024 * 1024;

/** Everything of third parties that the examples need; no Kafka, and no NATS. */
const THIRD_PARTIES = [
  '@nestjs/common',
  '@nestjs/core',
  '@nestjs/platform-express',
  'reflect-metadata',
  'rxjs',
  'express',
  'pg',
  'redis',
  '@types/express',
  '@types/node',
].map((name) => `${name}@${versionOf(name)}`);

const EXAMPLES = FOLDERS.flatMap((folder) =>
  examplesOf(folder).map((code, place) => ({ name: `${folder.replace('/', '-')}-${place + 1}`, code })),
);

/** The oldest Node.js that the manifests admit. */
const OLDEST_NODE = `${readManifest().engines.node.replace('>=', '')}.0`;

/** As it is installed here, so that npm has it in its cache. */
function versionOf(name: string): string {
  const path = join(ROOT, 'node_modules', name, 'package.json');
  return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version;
}

/** A package and those of the workspace that it needs. */
function closureOf(name: string): string[] {
  const manifest = FOLDERS.map((folder) => readManifest(folder)).find((each) => each.name === name);
  const own = Object.keys(manifest?.dependencies ?? {}).filter((each) => each.startsWith('@palisade/'));
  return [...new Set([name, ...own.flatMap(closureOf)])];
}

/** Compiles examples where they can import nothing but what was installed. */
function compile(where: Consumer, examples: typeof EXAMPLES): Promise<Run> {
  for (const { name, code } of examples) {
    // A server would not end by itself.
    where.write(`${name}.ts`, code.includes('const listener =') ? `${code}${CALL_THE_SERVER}` : code);
  }
  where.write('tsconfig.json', JSON.stringify(TSCONFIG));
  return where.run(process.execPath, [TSC, '-p', 'tsconfig.json']);
}

let consumer: Consumer;
let packed: Packed[];

beforeAll(async () => {
  consumer = new Consumer();
  packed = await consumer.pack();
});

afterAll(() => consumer[Symbol.dispose]());

describe('the manifests', () => {
  it.each(FOLDERS)('of %s have the version of the product', (folder) => {
    const { version, dependencies = {} } = readManifest(folder);
    const own = Object.entries(dependencies).filter(([name]) => name.startsWith('@palisade/'));
    expect([version, ...own.map(([, range]) => range)]).toEqual(
      Array.from({ length: own.length + 1 }, () => readManifest().version),
    );
  });

  it.each(FOLDERS)('of %s ask for the versions that are tested here', (folder) => {
    const root = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Record<string, Record<string, string>>;
    const tested = { ...root['devDependencies'], ...root['dependencies'] };
    const { dependencies = {}, peerDependencies = {} } = readManifest(folder);
    for (const [name, range] of Object.entries({ ...peerDependencies, ...dependencies })) {
      if (!name.startsWith('@palisade/')) {
        // Nest 11 is tested apart.
        expect([name, range.replace('^11.0.0 || ^12.0.0', tested[name] ?? '')]).toEqual([name, tested[name]]);
      }
    }
  });
});

describe('the tarballs', () => {
  it('are of all packages', () => {
    expect(packed.map(({ folder }) => folder).toSorted()).toEqual(FOLDERS.toSorted());
  });

  it.each(FOLDERS)('of %s have what belongs in them, and no tests', (folder) => {
    const { files = [] } = packed.find((each) => each.folder === folder) ?? {};
    expect(files).toEqual(expect.arrayContaining(['package.json', 'README.md', 'LICENSE']));
    expect(files.filter((file) => /\.(?:contract|e2e)?-?spec\.|(?:^|\/)test(?:ing)?\//.test(file))).toEqual([]);
    expect(files.filter((file) => !/^(?:dist|src|bin)\/|^[^/]+$/.test(file))).toEqual([]);
  });

  it.each(FOLDERS)('of %s are clean to publint', async (folder) => {
    const { messages } = await publint({
      pkgDir: join(ROOT, 'dist/packages', basename(folder)),
      pack: false,
      strict: true,
    });
    expect(messages.filter(({ type }) => type !== 'suggestion')).toEqual([]);
  });

  it.each(FOLDERS.filter((folder) => folder !== 'cli'))(
    'of %s have types that resolve as Node.js does',
    async (folder) => {
      const { tarball = '' } = packed.find((each) => each.folder === folder) ?? {};
      const result = await checkPackage(createPackageFromTarballData(readFileSync(tarball)));
      const problems = result.types === false ? ['no types'] : result.problems;
      // CommonJS loads them with require(esm), which Node.js 22.12 has; resolution of Node.js 10 knows no exports.
      const isMeant = (problem: unknown): boolean =>
        typeof problem === 'object' &&
        problem !== null &&
        (('resolutionKind' in problem && problem.resolutionKind === 'node10') ||
          ('kind' in problem && problem.kind === 'CJSResolvesToESM'));
      expect(problems.filter((problem) => !isMeant(problem))).toEqual([]);
    },
  );
});

describe('the public API', () => {
  let reports: ApiReport[];

  beforeAll(() => {
    reports = renderApiReports();
  });

  it.each(FOLDERS.filter((folder) => folder !== 'cli'))(
    'of %s is the one that was committed (npm run docs)',
    (folder) => {
      const { path, text } = reports.find((report) => report.folder === folder) ?? { path: '', text: '' };
      expect(readFileSync(join(ROOT, path), 'utf8') === text).toBe(true);
    },
  );
});

describe('in an empty folder', () => {
  let database: TenantDatabase;
  let services: Services;
  let types: Run;
  let env: Record<string, string>;

  beforeAll(async () => {
    [database, services] = await Promise.all([TenantDatabase.create('setting'), Services.start()]);
    await database.provision(ACME);
    await database.admin.query(`insert into orders (tenant_id, id) values ('acme', 1), ('acme', 2), ('bolt', 1)`);
    env = {
      ...services.env,
      DATABASE_URL: database.config.connectionString ?? '',
      TENANT_DATABASE_URL: String(database.configOf(ACME).connectionString),
      PORT: '0',
    };
    await consumer.install(...THIRD_PARTIES, `node@${OLDEST_NODE}`, ...packed.map(({ tarball }) => tarball));
    types = await compile(consumer, EXAMPLES);
  });

  afterAll(async () => {
    await services[Symbol.asyncDispose]();
    await database[Symbol.asyncDispose]();
  });

  it('nothing links to the workspace', () => {
    const lock = JSON.parse(readFileSync(join(consumer.directory, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { link?: boolean; resolved?: string }>;
    };
    expect(Object.values(lock.packages).filter(({ link }) => link)).toEqual([]);
  });

  it('the examples of every README type-check, the declarations included', () => {
    expect(types.out).toBe('');
  });

  it.each(FOLDERS)('%s begins its README with an example of at most 15 lines', (folder) => {
    const [first] = folder === 'cli' ? ['palisade --help'] : examplesOf(folder);
    expect(first?.trimEnd().split('\n').length).toBeLessThanOrEqual(15);
  });

  it.each(FOLDERS)('%s names every package that its examples import in its commands of npm install', (folder) => {
    const imported = examplesOf(folder).flatMap((code) => importsOf(code));
    expect(imported.filter((name) => !installsOf(folder).includes(name))).toEqual([]);
  });

  it.each(EXAMPLES)('example $name prints what it says', async ({ name, code }) => {
    const { code: exit, out, error } = await consumer.run(process.execPath, [`out/${name}.js`], env);
    const expected = code.includes('const listener =') ? ['201', '409', '200'] : promisedOutput(code);
    expect({ exit, error, out: out.trimEnd().split('\n') }).toEqual({ exit: 0, error: '', out: expected });
  });

  describe('with the oldest Node.js that the manifests admit', () => {
    const oldest = (): string => join(consumer.directory, 'node_modules/node/bin/node');

    it('runs it', async () => {
      expect((await consumer.run(oldest(), ['--version'])).out).toBe(`v${OLDEST_NODE}\n`);
    });

    // The example of storage would find what it has stored before.
    it.each(EXAMPLES.filter(({ name }) => !name.startsWith('libs-storage')))(
      'example $name prints what it says',
      async ({ name, code }) => {
        const { code: exit, out } = await consumer.run(oldest(), [`out/${name}.js`], env);
        const expected = code.includes('const listener =') ? ['201', '409', '200'] : promisedOutput(code);
        expect({ exit, out: out.trimEnd().split('\n') }).toEqual({ exit: 0, out: expected });
      },
    );

    it('the command line works with the services', async () => {
      const palisade = join(consumer.directory, 'node_modules/@palisade/cli/bin/palisade.cjs');
      const { code, out } = await consumer.run(oldest(), [palisade, 'provider', 'list', '--json'], env);
      expect(code).toBe(0);
      expect(JSON.parse(out)).toMatchObject({ items: [{ id: 'default' }] });
    });
  });

  describe('with Nest 11', () => {
    const folders = ['libs/isolation', 'libs/guards'];
    const examples = EXAMPLES.filter(({ name }) => folders.some((folder) => name.startsWith(folder.replace('/', '-'))));
    let older: Consumer;
    let olderTypes: Run;

    beforeAll(async () => {
      older = new Consumer();
      const own = new Set(folders.flatMap((folder) => closureOf(readManifest(folder).name)));
      await older.install(
        ...THIRD_PARTIES.filter((each) => !each.startsWith('@nestjs/')),
        '@nestjs/common@11',
        '@nestjs/core@11',
        ...packed.filter(({ manifest }) => own.has(manifest.name)).map(({ tarball }) => tarball),
      );
      olderTypes = await compile(older, examples);
    });

    afterAll(() => older[Symbol.dispose]());

    it('the examples type-check, the declarations included', () => {
      expect(olderTypes.out).toBe('');
    });

    it.each(examples)('example $name prints what it says', async ({ name, code }) => {
      const { code: exit, out, error } = await older.run(process.execPath, [`out/${name}.js`], env);
      expect({ exit, error, out: out.trimEnd().split('\n') }).toEqual({
        exit: 0,
        error: '',
        out: promisedOutput(code),
      });
    });
  });

  it.each([
    ['kafka', 'Kafka', '@platformatic/kafka'],
    ['nats', 'NATS', '@nats-io/transport-node'],
  ])('names the package that is missing for %s', async (entry, backend, missing) => {
    const { code, error } = await consumer.run(process.execPath, ['-e', `import('@palisade/isolation/${entry}')`]);
    expect(code).toBe(1);
    expect(error).toContain(`${backend} backends need the package ${missing}: npm install ${missing}`);
  });

  it('loads from CommonJS as well', async () => {
    const script = `console.log(typeof require('@palisade/isolation/redis').RedisDriver)`;
    const { out } = await consumer.run(process.execPath, ['--input-type=commonjs', '-e', script]);
    expect(out).toBe('function\n');
  });

  it('the command line works with the services', async () => {
    const palisade = join(consumer.directory, 'node_modules/.bin/palisade');
    const { code, out } = await consumer.run(palisade, ['provider', 'list', '--json'], env);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ items: [{ id: 'default' }] });
  });
});

describe('the services', () => {
  it.each(['scim-service', 'control-plane'])(
    'of %s say that a Node.js is too old before they load anything that it could not',
    async (name) => {
      const hook = `
        import { registerHooks } from 'node:module';
        Object.defineProperty(process, 'versions', { value: { node: '18.20.8' } });
        registerHooks({
          load(url, context, next) {
            console.log(url.split('/').at(-1));
            return next(url, context);
          },
        });`;
      const main = `dist/apps/${name}/src/main.js`;
      const hooked = `data:text/javascript,${encodeURIComponent(hook)}`;
      const { code, out, error } = await run(process.execPath, ['--import', hooked, main], ROOT);
      expect({ code, out, error }).toEqual({
        code: 1,
        out: 'main.js\nrequire-node.js\n',
        error: 'Palisade needs Node.js 22.12 or later, and this is 18.20.8\n',
      });
    },
  );
});

describe('the command line alone', () => {
  it('says first of all that a Node.js is too old', async () => {
    const script = `Object.defineProperty(process, 'versions', { value: { node: '22.11.0' } }); require('./palisade.cjs')`;
    const { code, out, error } = await run(process.execPath, ['-e', script], join(ROOT, 'cli/bin'));
    expect({ code, out, error }).toEqual({
      code: 1,
      out: '',
      error: 'palisade needs Node.js 22.12 or later, and this is 22.11.0\n',
    });
  });

  it('takes less than 10 MB', async () => {
    using alone = new Consumer();
    const needed = closureOf('@palisade/cli').map((name) => packed.find(({ manifest }) => manifest.name === name));
    await alone.install(...needed.map((each) => each?.tarball ?? ''));
    expect(existsSync(join(alone.directory, 'node_modules/.bin/palisade'))).toBe(true);
    expect(bytesOf(join(alone.directory, 'node_modules')) / MEBIBYTE).toBeLessThan(10);
  });
});

/** As strict as a project can be. */
const TSCONFIG = {
  compilerOptions: {
    target: 'es2024',
    lib: ['es2024', 'esnext.disposable'],
    module: 'nodenext',
    outDir: 'out',
    strict: true,
    noPropertyAccessFromIndexSignature: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    experimentalDecorators: true,
    emitDecoratorMetadata: true,
    types: ['node'],
    skipLibCheck: false,
  },
  include: ['*.ts'],
};

const CALL_THE_SERVER = `
const { port } = listener.address() as import('node:net').AddressInfo;
const url = \`http://127.0.0.1:\${port}/scim/v2/Users\`;
const post = (externalId: string) =>
  fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/scim+json' },
    body: JSON.stringify({ externalId, userName: 'ada@example.com' }),
  });
console.log((await post('ada')).status);
console.log((await post('other')).status);
console.log((await fetch(url)).status);
listener.close();
`;
