import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';

const DIRECTORY = fileURLToPath(new URL('.', import.meta.url));

/** Installs the peers beside this file, unless exactly these versions are there already. */
export async function installPeers() {
  const { dependencies } = readManifest(DIRECTORY) ?? {};
  if (Object.entries(dependencies).every(([name, version]) => installedVersion(name) === version)) {
    return;
  }
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

/** @param {string} name */
function installedVersion(name) {
  return readManifest(join(DIRECTORY, 'node_modules', name))?.version;
}

/** @param {string} directory */
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
