import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';
import { ROOT } from './run.mjs';

/** Where the compiler believes that it writes; each file goes to the package that it belongs to. */
const OUT = join(ROOT, 'dist/.packages');

/**
 * Where a package is put together. Not in its own folder: Nest's compiler would then find a built package for `@palisade/…`,
 * and take that instead of the source.
 */
export const stageOf = (folder) => join(ROOT, 'dist/packages', basename(folder));

/** The packages that can be published: folder and package.json of each workspace. */
export function readPackages() {
  const { workspaces } = readJson('package.json');
  return workspaces.map((folder) => ({ folder, manifest: readJson(folder, 'package.json') }));
}

/** Compiles the packages, with declarations and maps, and puts each together. Returns whether that succeeded. */
export function compilePackages() {
  const packages = readPackages();
  for (const { folder, manifest } of packages) {
    const stage = stageOf(folder);
    rmSync(stage, { recursive: true, force: true });
    mkdirSync(stage, { recursive: true });
    copyFileSync(join(ROOT, 'LICENSE'), join(stage, 'LICENSE'));
    const contents = ['package.json', 'README.md', ...manifest.files].filter((name) =>
      existsSync(join(ROOT, folder, name)),
    );
    contents.forEach((name) => cpSync(join(ROOT, folder, name), join(stage, name), { recursive: true }));
  }
  const program = ts.createProgram(packages.flatMap(entriesOf), compilerOptions());
  const { diagnostics } = program.emit(undefined, (file, text) => write(file, text));
  const problems = [...ts.getPreEmitDiagnostics(program), ...diagnostics];
  if (problems.length > 0) {
    const host = { getCanonicalFileName: (name) => name, getCurrentDirectory: () => ROOT, getNewLine: () => '\n' };
    console.error(ts.formatDiagnosticsWithColorAndContext(problems, host));
  }
  return problems.length === 0;
}

/** The sources of what others can import from a package, or of the program that it brings. */
function entriesOf({ folder, manifest }) {
  const targets = Object.values(manifest.exports).flatMap(({ default: target }) => target ?? []);
  const sources = manifest.bin === undefined ? targets : ['./dist/main.js'];
  return sources.map((target) => join(ROOT, folder, target.replace('/dist/', '/src/').replace(/js$/, 'ts')));
}

function compilerOptions() {
  const file = join(ROOT, 'tsconfig.json');
  const { options } = ts.parseJsonConfigFileContent(ts.readConfigFile(file, ts.sys.readFile).config, ts.sys, ROOT);
  return { ...options, rootDir: ROOT, outDir: OUT, declaration: true, declarationMap: true };
}

/** `libs/isolation/src/pools/lease.js` belongs at `dist/packages/isolation/dist/pools/lease.js`. */
function write(file, text) {
  const target = stagedFile(relative(OUT, file), 'dist');
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, file.endsWith('.map') ? moveMap(JSON.parse(text), file, target) : text);
}

function stagedFile(path, into) {
  const [, folder, rest] = /^(libs\/[^/]+|cli)\/src\/(.*)$/.exec(path);
  return join(stageOf(folder), into, rest);
}

function moveMap(map, from, to) {
  const sources = map.sources.map((source) =>
    relative(dirname(to), stagedFile(relative(ROOT, resolve(dirname(from), source)), 'src')),
  );
  return JSON.stringify({ ...map, sources });
}

function readJson(...path) {
  return JSON.parse(readFileSync(join(ROOT, ...path), 'utf8'));
}
