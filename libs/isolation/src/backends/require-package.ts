import { createRequire } from 'node:module';
import { MissingPackageError } from './backend.errors.js';

const require = createRequire(import.meta.url);

/**
 * A package that only those install who use the backend. A static import of it would be Node.js's to resolve, which fails
 * before any code of ours could say why.
 *
 * @throws {MissingPackageError} when it is not installed
 */
export function requirePackage<Package>(backend: string, name: string): Package {
  try {
    return require(name) as Package;
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND'
      ? new MissingPackageError(backend, name, { cause: error })
      : error;
  }
}
