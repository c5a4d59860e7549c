import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The version of Palisade that runs, as `package.json` has it. */
export const PRODUCT_VERSION = readVersion(import.meta.dirname);

/** Of the nearest `package.json` above: that of the checkout, or of the image. Without one, Node would load none of this. */
function readVersion(directory: string): string {
  const path = join(directory, 'package.json');
  if (!existsSync(path) && dirname(directory) !== directory) {
    return readVersion(dirname(directory));
  }
  const { version } = JSON.parse(readFileSync(path, 'utf8')) as { readonly version: string };
  return version;
}
