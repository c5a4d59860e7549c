import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The version in the nearest `package.json` above a directory: that of the checkout, built or not. */
export function findVersion(directory: string): string {
  const path = join(directory, 'package.json');
  if (!existsSync(path) && dirname(directory) !== directory) {
    return findVersion(dirname(directory));
  }
  const { version } = JSON.parse(readFileSync(path, 'utf8')) as { readonly version: string };
  return version;
}
