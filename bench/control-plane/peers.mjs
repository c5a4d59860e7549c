import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import process from 'node:process';

/** @typedef {{ picomatch: (pattern: string) => (text: string) => boolean }} Peers */

const DIRECTORY = join(import.meta.dirname, '.peers');
const VERSIONS = { picomatch: '4.0.7' };

/**
 * Installs the peers beside this file, unless exactly these versions are there already; they are no dependencies of the
 * project.
 *
 * @returns {Promise<Peers>}
 */
export async function installPeers() {
  const require = createRequire(join(DIRECTORY, 'package.json'));
  if (!Object.entries(VERSIONS).every(([name, version]) => installedVersion(name) === version)) {
    mkdirSync(DIRECTORY, { recursive: true });
    writeFileSync(join(DIRECTORY, '.gitignore'), '*\n');
    const manifest = { private: true, dependencies: VERSIONS };
    writeFileSync(join(DIRECTORY, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    const options = ['--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    const npm = spawn('npm', ['install', '--prefix', DIRECTORY, ...options], {
      cwd: DIRECTORY,
      stdio: ['ignore', 2, 2],
      shell: process.platform === 'win32',
    });
    const [status] = await once(npm, 'exit');
    if (status !== 0) {
      throw new Error(`npm could not install the peers (status ${status})`);
    }
  }
  return { picomatch: require('picomatch') };
}

/** @param {string} name */
function installedVersion(name) {
  try {
    return JSON.parse(readFileSync(join(DIRECTORY, 'node_modules', name, 'package.json'), 'utf8')).version;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      return undefined;
    }
    throw error;
  }
}
