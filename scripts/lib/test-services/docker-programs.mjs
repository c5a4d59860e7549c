import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { ROOT } from '../run.mjs';
import { outputOf } from './output-of.mjs';

/** Containers that share our network, files and user stand in for programs; only Docker on Linux itself can do that. */
export async function canUseDocker() {
  return process.platform === 'linux' && (await outputOf('docker', ['info'])).succeeded;
}

function script({ name, image }, label) {
  const temporary = tmpdir();
  const options = [
    `--rm --init --interactive --network host --label ${label} --entrypoint ${name}`,
    `--user ${process.getuid()}:${process.getgid()} --workdir "$PWD"`,
    `--volume '${temporary}:${temporary}' --volume '${ROOT}:${ROOT}'`,
  ];
  return `#!/bin/sh\nexec docker run ${options.join(' ')} ${image} "$@"\n`;
}

async function endContainers(label) {
  const { output, succeeded } = await outputOf('docker', ['ps', '--quiet', '--filter', `label=${label}`]);
  const containers = succeeded ? output.split('\n').filter((id) => id !== '') : [];
  if (containers.length > 0) {
    await outputOf('docker', ['rm', '--force', ...containers]);
  }
}

/**
 * Makes scripts that run `programs` in containers, which see what is below the temporary directory and the workspace.
 * Resolves to `paths` (a Map by name), `failure` (what was said of images that cannot be had, else undefined) and
 * remove(), which ends what still runs.
 */
export async function createDockerPrograms(programs) {
  const directory = mkdtempSync(join(tmpdir(), 'palisade-docker-'));
  const label = `palisade-test-run=${randomUUID()}`;
  const images = [...new Set(programs.map(({ image }) => image))];
  const pulls = await Promise.all(images.map((image) => outputOf('docker', ['pull', '--quiet', image])));
  const usable = programs.filter(({ image }) => pulls[images.indexOf(image)].succeeded);
  for (const program of usable) {
    writeFileSync(join(directory, program.name), script(program, label), { mode: 0o755 });
  }
  const failed = pulls.filter(({ succeeded }) => !succeeded);
  const remove = async () => {
    await endContainers(label);
    rmSync(directory, { recursive: true, force: true });
  };
  return {
    paths: new Map(usable.map(({ name }) => [name, join(directory, name)])),
    failure: failed.length === 0 ? undefined : failed.map(({ output }) => output).join('\n'),
    remove,
  };
}
