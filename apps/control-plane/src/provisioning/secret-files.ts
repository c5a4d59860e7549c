import { readFile } from 'node:fs/promises';
import { TenantSecrets } from '@palisade/isolation';

/** The content of a file with a secret, read each time, so that it can be replaced without a restart. */
export async function readSecretFile(path: string): Promise<string> {
  return (await readFile(path, 'utf8')).trim();
}

/** @throws {RangeError} that names the file when what it holds is too short */
export async function readTenantSecrets(path: string): Promise<TenantSecrets> {
  const secret = await readSecretFile(path);
  try {
    return new TenantSecrets(secret);
  } catch (error) {
    throw error instanceof RangeError ? new RangeError(`${path}: ${error.message}`, { cause: error }) : error;
  }
}
