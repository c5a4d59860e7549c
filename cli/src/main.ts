#!/usr/bin/env node
import process from 'node:process';
import { runPalisade } from './palisade.js';

// A reader that closes the pipe early (`palisade export users | head`) is not a failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') {
    throw error;
  }
  process.exit(0);
});

const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => interruption.abort());
}

process.exitCode = await runPalisade(process.argv.slice(2), {
  env: process.env,
  out: (text) => process.stdout.write(text),
  error: (text) => process.stderr.write(text),
  isTerminal: process.stdout.isTTY === true && process.stderr.isTTY === true,
  now: Date.now,
  signal: interruption.signal,
});
