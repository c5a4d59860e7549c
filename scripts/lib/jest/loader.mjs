import { existsSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createScriptTransformer } from '@jest/transform';

const GLOBALS = '@jest/globals';
const GLOBALS_URL = new URL('globals.mjs', import.meta.url).href;

const TRANSFORM_OPTIONS = {
  collectCoverage: false,
  isInternalModule: false,
  supportsDynamicImport: true,
  supportsExportNamespaceFrom: true,
  supportsStaticESM: true,
  supportsTopLevelAwait: true,
};

let isInstalled = false;

/** Where the source map of each transformed file lies, by URL: that is how Node.js names modules in a stack. */
const known = new Map();
let wanted = known;

/** Keeps `sourceMaps`, with which Jest maps the stacks of the current suite, complete. */
export function collectSourceMaps(sourceMaps) {
  known.forEach((map, url) => sourceMaps.set(url, map));
  wanted = sourceMaps;
}

/** From now on Node.js loads TypeScript as Jest's configuration says: by its `transform` (cached on disk) and `moduleNameMapper`. */
export async function installLoader(config) {
  if (isInstalled) {
    return;
  }
  isInstalled = true;
  const transformer = await createScriptTransformer(config, new Map());
  const names = config.moduleNameMapper.map(([pattern, target]) => [new RegExp(pattern), target]);
  registerHooks({
    resolve(specifier, context, next) {
      if (specifier === GLOBALS) {
        return { url: GLOBALS_URL, format: 'module', shortCircuit: true };
      }
      const url = context.parentURL?.endsWith('.ts') ? findSource(names, specifier, context.parentURL) : undefined;
      return url === undefined ? next(specifier, context) : { url, format: 'module', shortCircuit: true };
    },
    load(url, context, next) {
      if (!url.startsWith('file:') || !url.endsWith('.ts')) {
        return next(url, context);
      }
      const path = fileURLToPath(url);
      const { code, sourceMapPath } = transformer.transform(path, TRANSFORM_OPTIONS);
      if (sourceMapPath) {
        known.set(url, sourceMapPath);
        wanted.set(url, sourceMapPath);
      }
      return { format: 'module', source: code, shortCircuit: true };
    },
  });
}

/** The TypeScript file that `moduleNameMapper` makes of a specifier; undefined when it makes none. */
function findSource(names, specifier, parentURL) {
  const name = names.find(([pattern]) => pattern.test(specifier));
  if (name === undefined) {
    return undefined;
  }
  const mapped = specifier.replace(...name);
  const path = mapped.startsWith('.') ? join(dirname(fileURLToPath(parentURL)), mapped) : mapped;
  const source = path.endsWith('.ts') ? path : `${path}.ts`;
  return existsSync(source) ? pathToFileURL(source).href : undefined;
}
