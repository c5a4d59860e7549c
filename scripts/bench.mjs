/** Builds, then runs one benchmark: `npm run bench -- <name>` is bench/<name>/run.mjs; further arguments go to it. */
import { globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { PROGRAMS, build } from './lib/build.mjs';
import { ROOT, run } from './lib/run.mjs';

const [name, ...args] = process.argv.slice(2);
const benchmarks = globSync('*/run.mjs', { cwd: join(ROOT, 'bench') }).map(dirname);
if (!benchmarks.includes(name)) {
  console.error(`Usage: npm run bench -- <name>. Benchmarks: ${benchmarks.join(', ')}.`);
  process.exit(2);
}
const needed = name === 'attack' ? [...PROGRAMS, 'data-proxy'] : PROGRAMS;
process.exitCode = (await build(needed)) ? await run('node', [join('bench', name, 'run.mjs'), ...args]) : 1;
