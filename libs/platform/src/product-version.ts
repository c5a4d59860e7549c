import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The version of the running Palisade, from `package.json`. */
export const PRODUCT_VERSION = readVersion(import.meta.dirname);

/** Reads the nearest `package.json` above: that of the checkout or of the image. Without one Node could not load this file. */
function readVersion(directory: string): string {
  const path = join(directory, 'package.json');
  if (!existsSync(path) && dirname(directory) !== directory) {
    return readVersion(dirname(directory));
  }
  const { version } = JSON.parse(readFileSync(path, 'utf8')) as { readonly version: string };
  return version;
}
