/**
 * Proves that the suites notice mistakes: makes each one of `lib/mutations.mjs` in a copy of the working tree, runs the suites
 * that are to notice it, and fails when one survives or can no longer be made. `npm run mutants`; words select files
 * and suites: `npm run mutants -- routing filter`.
 */
import { execFile, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { MUTATIONS } from './lib/mutations.mjs';
import { ROOT, elapsed } from './lib/run.mjs';

const TIME_LIMIT_MS = 300_000;
/** Mistakes make tests wait for what never comes. */
const TEST_TIMEOUT_MS = 20_000;

const words = process.argv.slice(2);
const chosen = MUTATIONS.filter(
  ({ file, suites }) => words.length === 0 || words.some((word) => [file, ...suites].join(' ').includes(word)),
);

/** A copy of what Git knows or would add, with the dependencies of the original. */
function copyWorkingTree() {
  const list = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: ROOT });
  const directory = mkdtempSync(join(tmpdir(), 'palisade-mutants-'));
  for (const file of list.stdout
    .toString()
    .split('\0')
    .filter((name) => name !== '')) {
    mkdirSync(dirname(join(directory, file)), { recursive: true });
    cpSync(join(ROOT, file), join(directory, file), { recursive: true, verbatimSymlinks: true });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(directory, 'node_modules'));
  return directory;
}

/** How many tests passed and failed; undefined when some suite could not be loaded or the run did not end. */
async function runSuites(directory, suites) {
  const outputFile = join(directory, 'results.json');
  rmSync(outputFile, { force: true });
  const jest = join(directory, 'node_modules/jest/bin/jest.js');
  const args = [
    jest,
    '--runInBand',
    `--testTimeout=${TEST_TIMEOUT_MS}`,
    '--selectProjects',
    'unit',
    '--json',
    `--outputFile=${outputFile}`,
    '--',
    ...suites,
  ];
  await new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: directory, timeout: TIME_LIMIT_MS, maxBuffer: Infinity }, resolve);
  });
  try {
    const results = JSON.parse(readFileSync(outputFile, 'utf8'));
    const { numPassedTests: passed, numFailedTests: failed, numRuntimeErrorTestSuites: broken } = results;
    return broken > 0 ? undefined : { passed, failed };
  } catch {
    return undefined;
  }
}

async function tryMutation(directory, { file, suites, find, replacement }) {
  const path = join(directory, file);
  const source = readFileSync(path, 'utf8');
  const occurrences = source.split(find).length - 1;
  if (occurrences !== 1) {
    return `NOT MADE: the text occurs ${occurrences} times`;
  }
  writeFileSync(
    path,
    source.replace(find, () => replacement),
  );
  try {
    const counts = await runSuites(directory, suites);
    if (counts === undefined) {
      return 'NOT RUN: a suite could not be loaded, or did not end';
    }
    return counts.failed > 0 ? undefined : `SURVIVED ${counts.passed} tests`;
  } finally {
    writeFileSync(path, source);
  }
}

async function work(queue, faults) {
  const directory = copyWorkingTree();
  try {
    for (let mutation = queue.shift(); mutation !== undefined; mutation = queue.shift()) {
      const startedAt = performance.now();
      const fault = await tryMutation(directory, mutation);
      const { file, find, replacement } = mutation;
      console.log(
        `${fault ?? 'caught'} (${elapsed(startedAt)}) ${file}: ${firstLine(find)} → ${firstLine(replacement)}`,
      );
      if (fault !== undefined) {
        faults.push(mutation);
      }
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function firstLine(text) {
  return text.trim().split('\n')[0] || 'nothing';
}

/** A suite that fails anyway would seem to notice everything. */
async function passesWithoutMistakes() {
  const directory = copyWorkingTree();
  try {
    const counts = await runSuites(directory, [...new Set(chosen.flatMap(({ suites }) => suites))]);
    return counts !== undefined && counts.passed > 0 && counts.failed === 0;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function makeMistakes() {
  const faults = [];
  const queue = [...chosen];
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), queue.length) }, () => work(queue, faults)));
  console.log(`${chosen.length - faults.length} of ${chosen.length} mistakes caught.`);
  return faults.length === 0;
}

if (chosen.length === 0) {
  console.error(`No mistake is listed for ${words.join(', ')}.`);
  process.exitCode = 2;
} else if (await passesWithoutMistakes()) {
  process.exitCode = (await makeMistakes()) ? 0 : 1;
} else {
  console.error('The suites fail without any mistake; run `npm test -- --selectProjects unit`.');
  process.exitCode = 1;
}
