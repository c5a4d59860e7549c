import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PathParameterError } from '@palisade/client';
import { Command, CommanderError } from 'commander';
import { addBuiltPrograms } from './built-programs.js';
import { UsageError } from './command/command.errors.js';
import { EXIT, type CommandContext, type End, type ExitCode } from './command/context.js';
import { printable } from './command/output.js';
import { addCompletion } from './completion.js';
import { addDoctor } from './doctor/add-doctor.js';
import { addOperation, addOperationGroup } from './operations/add-operation.js';
import { OPERATION_GROUPS, SINGLE_OPERATIONS } from './operations/all.js';
import { addSeed } from './seed.js';
import { addTransfer } from './transfer/add-transfer.js';

/** Width of the help, whatever the terminal: docs/cli.md shows the same. */
const HELP_COLUMNS = 110;

const ENVIRONMENT = `
Environment:
  PALISADE_SCIM_URL       address of the SCIM service (http://localhost:9091)
  PALISADE_CONTROL_URL    address of the control plane (http://localhost:8980)
  PALISADE_TOKEN          token to send
  PALISADE_PROVIDER_TOKEN token for commands that need a provider's token, instead of PALISADE_TOKEN
  …_FILE                  file that holds the token

Exit codes:
  0  success, or the answer is yes
  1  failure, or the answer is no
  2  wrong usage; nothing was done

Example:
  PALISADE_TOKEN_FILE=.palisade/admin-token palisade doctor`;

/** Runs `palisade <arguments>`. Resolves to 0 on success, 1 when it failed or the answer is no, 2 when it was called wrongly. */
export async function runPalisade(arguments_: readonly string[], context: CommandContext): Promise<ExitCode> {
  let exitCode: ExitCode = EXIT.ok;
  const program = createProgram(context, (code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync(arguments_, { from: 'user' });
    return exitCode;
  } catch (error) {
    return explain(error, context);
  }
}

/** The program with all commands; `end` is called with the exit code of the command that ran. */
export function createProgram(context: CommandContext, end: End): Command {
  const program = new Command('palisade')
    .description('Works with the SCIM service and the control plane of Palisade.')
    .version(findVersion(import.meta.dirname), '-V, --version', 'print the version')
    .exitOverride()
    .configureOutput({
      writeOut: context.out,
      writeErr: context.error,
      getOutHelpWidth: () => HELP_COLUMNS,
      getErrHelpWidth: () => HELP_COLUMNS,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .showHelpAfterError('(use --help to see what is available)')
    .addHelpText('after', ENVIRONMENT);
  addDoctor(program, context, end);
  addBuiltPrograms(program, context, end);
  OPERATION_GROUPS.forEach((group) => addOperationGroup(program, group, context, end));
  SINGLE_OPERATIONS.forEach((operation) => addOperation(program, operation, context, end));
  addTransfer(program, context, end);
  addSeed(program, context, end);
  addCompletion(program, context);
  return program;
}

function explain(error: unknown, context: CommandContext): ExitCode {
  if (error instanceof CommanderError) {
    return error.exitCode === 0 ? EXIT.ok : EXIT.misused;
  }
  if (context.signal.aborted) {
    context.error('interrupted\n');
    return EXIT.failed;
  }
  context.error(`${printable(error instanceof Error ? error.message : String(error))}\n`);
  return error instanceof UsageError || error instanceof PathParameterError ? EXIT.misused : EXIT.failed;
}

/** The version in the nearest `package.json` above a directory: that of the checkout, whether built or not. */
function findVersion(directory: string): string {
  const path = join(directory, 'package.json');
  if (!existsSync(path) && dirname(directory) !== directory) {
    return findVersion(dirname(directory));
  }
  const { version } = JSON.parse(readFileSync(path, 'utf8')) as { readonly version: string };
  return version;
}
