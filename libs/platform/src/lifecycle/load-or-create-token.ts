import { codeOf } from '@palisade/domain';
import { randomBytes, randomUUID } from 'node:crypto';
import { chmodSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const TOKEN_BYTES = 32;

/**
 * The token stored in `<dataDirectory>/<name>`: 32 random bytes (base64url), readable only by the owner. The first caller
 * creates it; processes that ask at the same time get the same one, and nobody sees a half-written one.
 *
 * @throws {Error} when the file holds no token, naming it
 */
export function loadOrCreateToken(dataDirectory: string, name: string): string {
  const path = join(dataDirectory, name);
  // Others may enter but not list the directory: a database below it may run as a user of its own.
  mkdirSync(dataDirectory, { recursive: true, mode: 0o711 });
  createUnlessExists(path);
  chmodSync(path, 0o600);
  const token = readFileSync(path, 'utf8').trim();
  if (!/^[\w-]{16,}$/.test(token)) {
    throw new Error(`${path} holds no token of at least 16 characters A-Z a-z 0-9 _ -; delete it to get a new one`);
  }
  return token;
}

function createUnlessExists(path: string): void {
  const draft = `${path}.${randomUUID()}`;
  writeFileSync(draft, `${randomBytes(TOKEN_BYTES).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' });
  try {
    // Unlike renaming, linking fails when the name is taken.
    linkSync(draft, path);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') {
      throw error;
    }
  } finally {
    rmSync(draft);
  }
}
