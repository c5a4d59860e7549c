import { existsSync, rmSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { outputOf } from './output-of.mjs';

/** invoke-rc.d asks this file before it starts a service; 101 means that it must not. */
const POLICY_FILE = '/usr/sbin/policy-rc.d';
const POLICY = '#!/bin/sh\nexit 101\n';

const OPTIONS = ['-q', '-y', '-o', 'DPkg::Lock::Timeout=300', '-o', 'Acquire::Retries=3'];

/** Whether packages can be installed without asking anybody: this is Debian or made of it, and we are root. */
export function canInstallPackages() {
  return process.platform === 'linux' && process.getuid() === 0 && existsSync('/usr/bin/apt-get');
}

function aptGet(...args) {
  return outputOf('apt-get', [...OPTIONS, ...args], { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } });
}

/** Installs packages, whose services are not started. Resolves to what apt-get had to say when it failed. */
export async function installPackages(packages) {
  const hasPolicy = existsSync(POLICY_FILE);
  if (!hasPolicy) {
    writeFileSync(POLICY_FILE, POLICY, { mode: 0o755 });
  }
  try {
    const update = await aptGet('update');
    const install = await aptGet('install', '--no-install-recommends', ...packages);
    return install.succeeded ? undefined : `${update.output}\n${install.output}`;
  } finally {
    if (!hasPolicy) {
      rmSync(POLICY_FILE, { force: true });
    }
  }
}
