// Checks that no two folders of one project import each other: `npm run deps` runs it after dependency-cruiser, whose folder
// rules cannot leave out files that lie beside the folders. Compares sibling folders at every level below a project's sources.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, normalize, join } from 'node:path';

/** Pairs that are still to be removed; whoever removes one removes it here. */
const KNOWN_PAIRS = [];

const SOURCES = /^((?:(?:apps|examples|libs)\/[^/]+|cli)\/src)\/(.+)$/;
const IMPORT = /\bfrom '(\.[^']+)'|\bimport\('(\.[^']+)'\)/g;

const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.ts'], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => SOURCES.test(file) && !file.endsWith('.spec.ts') && existsSync(file));

const imports = new Set(files.flatMap((file) => importsOf(file)));
const found = [...imports]
  .map((each) => JSON.parse(each))
  .filter(([parent, a, b]) => a < b && imports.has(JSON.stringify([parent, b, a])))
  .map(([parent, a, b]) => `${parent}: ${a}, ${b}`)
  .sort();

const problems = [
  ...found.filter((pair) => !KNOWN_PAIRS.includes(pair)).map((pair) => `${pair} import each other`),
  ...KNOWN_PAIRS.filter((pair) => !found.includes(pair)).map(
    (pair) => `${pair} no longer import each other: remove the pair from scripts/folder-pairs.mjs`,
  ),
];
if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exitCode = 1;
}

/** The folders that a file's imports connect, each as JSON of [parent, importing folder, imported folder]. */
function importsOf(file) {
  const [, root] = SOURCES.exec(file);
  return [...readFileSync(file, 'utf8').matchAll(IMPORT)]
    .map(([, from, lazily]) => normalize(join(dirname(file), from ?? lazily)))
    .filter((target) => target.startsWith(`${root}/`))
    .flatMap((target) => {
      const [own, others] = [file, target].map((path) =>
        dirname(path)
          .slice(root.length + 1)
          .split('/'),
      );
      const level = own.findIndex((folder, at) => folder !== others[at]);
      const [a, b] = [own[level], others[level]];
      return a && b ? [JSON.stringify([[root, ...own.slice(0, level)].join('/'), a, b])] : [];
    });
}
