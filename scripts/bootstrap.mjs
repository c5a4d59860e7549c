/**
 * Makes node_modules agree with package-lock.json, which also installs the Node.js that everything else runs on (the npm
 * package `node`). npm runs this before start, test, build, check and bench; it works on Node.js 18 without any
 * dependency, and does nothing when node_modules is up to date.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const NODE = join(ROOT, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
const WANTED_MAJOR = 24;

function packagesOf(...path) {
  try {
    return JSON.parse(readFileSync(join(ROOT, ...path), 'utf8')).packages;
  } catch {
    return undefined;
  }
}

/** Compares npm's own record of what it installed with what package-lock.json requires. */
function isInstalled() {
  const wanted = packagesOf('package-lock.json');
  const installed = packagesOf('node_modules', '.package-lock.json');
  if (wanted === undefined || installed === undefined) {
    return false;
  }
  return Object.entries(wanted)
    .filter(([path]) => path !== '')
    .every(([path, { version, integrity, optional }]) => {
      const found = installed[path];
      return found === undefined ? optional : found.version === version && found.integrity === integrity;
    });
}

function bundledMajor() {
  const { stdout } = spawnSync(NODE, ['--version'], { encoding: 'utf8' });
  return Number(/^v(\d+)\./.exec(stdout ?? '')?.[1]);
}

function install() {
  const npm = process.env.npm_execpath;
  const isNpm = npm !== undefined && basename(npm) === 'npm-cli.js';
  const [command, ...prefix] = isNpm ? [process.execPath, npm] : ['npm'];
  // NODE_ENV=production must not leave out what building and testing need.
  // Below "error" npm mostly warns that this Node.js is too old, which is why we are here.
  const options = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  const env = { ...process.env, SCARF_ANALYTICS: 'false' };
  const shell = !isNpm && process.platform === 'win32';
  return spawnSync(command, [...prefix, ...options], { cwd: ROOT, env, shell, stdio: 'inherit' }).status === 0;
}

if (!isInstalled() || bundledMajor() !== WANTED_MAJOR) {
  console.log('Installing dependencies (npm ci) …');
  if (!install()) {
    console.error('\nInstalling the dependencies failed; see the reason above.');
    process.exit(1);
  }
  if (bundledMajor() !== WANTED_MAJOR) {
    console.error(
      `\nThe npm package "node" did not bring Node.js ${WANTED_MAJOR}. Its install script must be allowed to run ` +
        '(npm option ignore-scripts=false).',
    );
    process.exit(1);
  }
}
