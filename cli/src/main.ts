#!/usr/bin/env node
import process from 'node:process';
import { createInterface } from 'node:readline/promises';
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

/** Asks on standard error, so that standard output stays what programs read. */
async function ask(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await terminal.question(question, { signal: interruption.signal });
  } finally {
    terminal.close();
  }
}

process.exitCode = await runPalisade(process.argv.slice(2), {
  env: process.env,
  out: (text) => process.stdout.write(text),
  error: (text) => process.stderr.write(text),
  isTerminal: process.stdout.isTTY === true && process.stderr.isTTY === true,
  // Not where another program answers: it would answer whatever is asked.
  ...(process.stdin.isTTY === true && process.stderr.isTTY === true && { ask }),
  now: Date.now,
  signal: interruption.signal,
});
