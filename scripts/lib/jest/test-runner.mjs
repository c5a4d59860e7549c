import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import runSuite from 'jest-circus/runner';
import { setGlobals } from './globals.mjs';
import { collectSourceMaps, installLoader } from './loader.mjs';

const require = createRequire(import.meta.url);
const CIRCUS = join(dirname(require.resolve('jest-circus/package.json')), 'build');
/** The symbols under which it keeps them in the global object. */
const CIRCUS_STATE = new Set(['EVENT_HANDLERS', 'JEST_STATE_SYMBOL']);

/** The part of jest-circus that knows the tests of one suite: loaded for each, it has none of the suite before. */
function requireFreshly(path) {
  if (dirname(path) === CIRCUS) {
    delete require.cache[path];
    Object.getOwnPropertySymbols(globalThis)
      .filter(({ description }) => CIRCUS_STATE.has(description))
      .forEach((symbol) => delete globalThis[symbol]);
  }
  return require(path);
}

/**
 * Jest's runner of suites (jest-circus), for which Node.js loads the modules, once per worker. Jest's own runtime would
 * load everything that a suite imports, the framework included, again for each suite.
 */
export default async function runSuiteInWorker(globalConfig, config, environment, runtime, path, sendMessageToJest) {
  await installLoader(config);
  collectSourceMaps(runtime.getSourceMaps());
  Object.assign(runtime, {
    requireInternalModule: requireFreshly,
    unstable_shouldLoadAsEsm: () => true,
    async unstable_importModule(file) {
      setGlobals(runtime.jestGlobals.cjsGlobals(file));
      await import(pathToFileURL(file).href);
    },
  });
  return runSuite.default(globalConfig, config, environment, runtime, path, sendMessageToJest);
}
