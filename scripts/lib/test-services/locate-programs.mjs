import process from 'node:process';
import { canInstallPackages, installPackages } from './debian-packages.mjs';
import { canUseDocker, createDockerPrograms } from './docker-programs.mjs';
import { findProgram } from './find-program.mjs';
import { variableOf } from './programs.mjs';

function find(programs, paths) {
  for (const { name } of programs) {
    const path = findProgram(name);
    if (path !== undefined) {
      paths.set(name, path);
    }
  }
}

function advice(missing) {
  const packages = [...new Set(missing.flatMap((program) => program.packages))].join(' ');
  const formulae = [...new Set(missing.map(({ brew }) => brew))].join(' ');
  return {
    linux: `Debian, Ubuntu: apt-get install ${packages} (as root, npm test does that itself). Docker does as well.`,
    darwin: `macOS: brew install ${formulae}`,
    win32: 'Windows: run npm test in WSL 2; there is no Windows version of most of these.',
  }[process.platform];
}

function explain(missing, failures) {
  const lines = missing.map(({ name }) => `  ${name}: not in PATH, and ${variableOf(name)} does not name it`);
  const said = failures.map((failure) => `\n${failure}\n`);
  const hint = advice(missing) ?? 'Install them with what your system offers.';
  return [
    'Tests need programs that this machine does not have:',
    ...lines,
    ...said,
    hint,
    'Unit tests need none of them: npm test -- --selectProjects unit',
  ].join('\n');
}

/**
 * Finds every program: the one that its variable names, else one of this machine, else one that is installed now (as root
 * on Debian), else a container.
 *
 * Resolves to `paths` (a Map by name) and remove().
 * @throws {Error} that lists everything that is missing and says what to do
 */
export async function locatePrograms(programs) {
  const paths = new Map();
  const failures = [];
  const missing = () => programs.filter(({ name }) => !paths.has(name));
  find(programs, paths);
  if (missing().length > 0 && canInstallPackages()) {
    const packages = [...new Set(missing().flatMap((program) => program.packages))];
    console.log(`Installing what tests run against (apt-get install ${packages.join(' ')}) …`);
    failures.push(await installPackages(packages));
    find(missing(), paths);
  }
  let docker;
  if (missing().length > 0 && (await canUseDocker())) {
    docker = await createDockerPrograms(missing());
    docker.paths.forEach((path, name) => paths.set(name, path));
    failures.push(docker.failure);
  }
  if (missing().length > 0) {
    await docker?.remove();
    throw new Error(
      explain(
        missing(),
        failures.filter((failure) => failure !== undefined),
      ),
    );
  }
  return { paths, remove: async () => docker?.remove() };
}
