/** Builds what `npm pack` and `npm publish` take of libs and cli, unless it is up to date. */
import process from 'node:process';
import { PACKAGES, build } from './lib/build.mjs';

process.exitCode = (await build([PACKAGES])) ? 0 : 1;
