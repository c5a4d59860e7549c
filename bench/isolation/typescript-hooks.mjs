/**
 * Lets this process import the TypeScript of libs/ and examples/ as it is, transformed the way the tests transform it: what is measured
 * is what is in the working tree, whether or not an app already uses it.
 */
import { existsSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { transformSync } from '@swc/core';

const LIBS = new URL('../../libs/', import.meta.url);
const SOURCES = [LIBS, new URL('../../examples/', import.meta.url)];

const OPTIONS = {
  jsc: {
    target: 'es2024',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
    keepClassNames: true,
  },
  module: { type: 'es6' },
  sourceMaps: 'inline',
};

registerHooks({
  resolve(specifier, context, nextResolve) {
    const [, lib, entry = 'index'] = /^@palisade\/([a-z-]+)(?:\/([a-z-]+))?$/.exec(specifier) ?? [];
    if (lib !== undefined) {
      return { url: new URL(`${lib}/src/${entry}.ts`, LIBS).href, shortCircuit: true };
    }
    if (specifier.startsWith('.') && context.parentURL?.endsWith('.ts')) {
      const url = new URL(specifier.replace(/\.js$/, '.ts'), context.parentURL);
      if (existsSync(url)) {
        return { url: url.href, shortCircuit: true };
      }
    }
    return nextResolve(specifier, context);
  },
  load(url, context, nextLoad) {
    if (!SOURCES.some((folder) => url.startsWith(folder.href)) || !url.endsWith('.ts')) {
      return nextLoad(url, context);
    }
    const filename = fileURLToPath(url);
    const { code } = transformSync(readFileSync(filename, 'utf8'), { ...OPTIONS, filename });
    return { format: 'module', source: code, shortCircuit: true };
  },
});
