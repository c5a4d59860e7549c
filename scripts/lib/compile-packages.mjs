import process from 'node:process';
import { compilePackages } from './packages.mjs';

process.exitCode = compilePackages() ? 0 : 1;
