import { PathParameterError } from '@palisade/client';
import { CommanderError } from 'commander';
import { printable } from './output/printable.js';
import { createProgram } from './program.js';
import { EXIT, type ExitCode, type Session } from './session.js';
import { UsageError } from './usage.error.js';

/** Runs `palisade <arguments>`. Ends with 0 when all went well, 1 when it failed or the answer is no, 2 when it was misused. */
export async function runPalisade(arguments_: readonly string[], session: Session): Promise<ExitCode> {
  let exitCode: ExitCode = EXIT.ok;
  const program = createProgram(session, (code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync(arguments_, { from: 'user' });
    return exitCode;
  } catch (error) {
    return explain(error, session);
  }
}

function explain(error: unknown, session: Session): ExitCode {
  if (error instanceof CommanderError) {
    return error.exitCode === 0 ? EXIT.ok : EXIT.misused;
  }
  if (session.signal.aborted) {
    session.error('interrupted\n');
    return EXIT.failed;
  }
  session.error(`${printable(error instanceof Error ? error.message : String(error))}\n`);
  return error instanceof UsageError || error instanceof PathParameterError ? EXIT.misused : EXIT.failed;
}
