import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';
import { ROOT } from './run.mjs';

/** Where the compiler believes that it writes; each file goes to the package that it belongs to. */
const OUT = join(ROOT, 'dist/.packages');

/** The packages that can be published: folder and package.json of each workspace. */
export function readPackages() {
  const { workspaces } = readJson('package.json');
  return workspaces.map((folder) => ({ folder, manifest: readJson(folder, 'package.json') }));
}

/** Compiles the packages into a folder `dist` each, with declarations and maps. Returns whether that succeeded. */
export function compilePackages() {
  const packages = readPackages();
  for (const { folder } of packages) {
    rmSync(join(ROOT, folder, 'dist'), { recursive: true, force: true });
    copyFileSync(join(ROOT, 'LICENSE'), join(ROOT, folder, 'LICENSE'));
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

/** `libs/isolation/src/pools/lease.js` belongs at `libs/isolation/dist/pools/lease.js`. */
function write(file, text) {
  const target = join(ROOT, relative(OUT, file).replace(/^((?:libs\/[^/]+|cli)\/)src\//, '$1dist/'));
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, file.endsWith('.map') ? moveMap(JSON.parse(text), file, target) : text);
}

function moveMap(map, from, to) {
  const sources = map.sources.map((source) => relative(dirname(to), resolve(dirname(from), source)));
  return JSON.stringify({ ...map, sources });
}

function readJson(...path) {
  return JSON.parse(readFileSync(join(ROOT, ...path), 'utf8'));
}
