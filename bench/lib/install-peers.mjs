import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import process from 'node:process';

/**
 * Installs what the package.json of a directory names, unless exactly these versions are there already. Peers are no
 * dependencies of the project.
 *
 * @param {string} directory
 * @returns {Promise<NodeJS.Require>} loads them
 */
export async function installPeers(directory) {
  const { dependencies } = readManifest(directory);
  const installedVersion = (/** @type {string} */ name) => readManifest(join(directory, 'node_modules', name))?.version;
  if (!Object.entries(dependencies).every(([name, version]) => installedVersion(name) === version)) {
    const options = ['--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    const npm = spawn('npm', ['install', '--prefix', directory, ...options], {
      cwd: directory,
      stdio: ['ignore', 2, 2],
      shell: process.platform === 'win32',
    });
    const [status] = await once(npm, 'exit');
    if (status !== 0) {
      throw new Error(`npm could not install the peers (status ${status})`);
    }
  }
  return createRequire(join(directory, 'package.json'));
}

/** Undefined when there is none. @param {string} directory */
function readManifest(directory) {
  try {
    return JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      return undefined;
    }
    throw error;
  }
}
