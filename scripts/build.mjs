/** Builds both apps into dist/. */
import process from 'node:process';
import { build } from './lib/build.mjs';

process.exitCode = (await build()) ? 0 : 1;
