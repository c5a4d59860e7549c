import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { ApiError, PathParameterError, UnexpectedAnswerError, UnreachableError } from '@palisade/client';
import { messageOf } from '@palisade/domain';
import { Command, CommanderError } from 'commander';
import { addBuiltPrograms } from './built-programs.js';
import { UsageError } from './command/command.errors.js';
import { EXIT, type CommandContext, type End, type ExitCode } from './command/context.js';
import { addOutputOptions, renderAnswer, wantsJson, type OutputOptions } from './command/output-options.js';
import { printable, renderJson, renderRecord } from './command/output.js';
import { addCompletion } from './completion/add-completion.js';
import { addDoctor } from './doctor/add-doctor.js';
import { addGet } from './operations/add-get.js';
import { addApply } from './manifests/add-apply.js';
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
  const isJson = wantsJson(arguments_);
  const program = createProgram(
    context,
    (code) => {
      exitCode = code;
    },
    // Errors as JSON come from here alone, so commander must not write its own.
    isJson ? () => undefined : context.error,
  );
  try {
    await program.parseAsync(arguments_, { from: 'user' });
    return exitCode;
  } catch (error) {
    return explain(error, context, isJson);
  }
}

/** The program with all commands; `end` is called with the exit code of the command that ran. */
export function createProgram(context: CommandContext, end: End, writeErr = context.error): Command {
  const program = new Command('palisade')
    .description('Works with the SCIM service and the control plane of Palisade.')
    .version(findVersion(import.meta.dirname), '-V, --version', 'print the version')
    .exitOverride()
    .configureOutput({
      writeOut: context.out,
      writeErr,
      getOutHelpWidth: () => HELP_COLUMNS,
      getErrHelpWidth: () => HELP_COLUMNS,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .showHelpAfterError('(use --help to see what is available)')
    .addHelpText('after', ENVIRONMENT);
  addDoctor(program, context, end);
  addGet(program, context, end);
  addBuiltPrograms(program, context, end);
  OPERATION_GROUPS.forEach((group) => addOperationGroup(program, group, context, end));
  SINGLE_OPERATIONS.forEach((operation) => addOperation(program, operation, context, end));
  addApply(program, context, end);
  addTransfer(program, context, end);
  addSeed(program, context, end);
  addCompletion(program, context, end);
  addVersion(program, context, end);
  return program;
}

function explain(error: unknown, context: CommandContext, isJson: boolean): ExitCode {
  if (error instanceof CommanderError && error.exitCode === 0) {
    return EXIT.ok;
  }
  const failure = context.signal.aborted ? { code: 'INTERRUPTED', detail: 'interrupted' } : describeError(error);
  if (isJson) {
    context.error(renderJson({ error: failure }));
  } else if (!(error instanceof CommanderError)) {
    const lines = [...(failure.problems ?? []), context.signal.aborted ? failure.detail : messageOf(error)];
    context.error(lines.map((line) => `${printable(line)}\n`).join(''));
  }
  return failure.code === 'USAGE' ? EXIT.misused : EXIT.failed;
}

/** An error as programs read it: the service's own code, or one of the command's. */
interface ErrorDescription {
  readonly code: string;
  readonly detail: string;
  readonly problems?: readonly string[];
  readonly status?: number;
  readonly request_id?: string | undefined;
}

function describeError(error: unknown): ErrorDescription {
  if (error instanceof ApiError) {
    const { code, detail, status, requestId } = error;
    return { code, detail, status, request_id: requestId };
  }
  const detail = messageOf(error);
  if (error instanceof CommanderError) {
    return {
      code: 'USAGE',
      detail: error.code === 'commander.help' ? 'a command is missing' : detail.replace(/^error: /, ''),
    };
  }
  if (error instanceof UsageError || error instanceof PathParameterError) {
    const problems = error instanceof UsageError ? error.problems : [];
    return { code: 'USAGE', detail, ...(problems.length > 0 && { problems }) };
  }
  if (error instanceof UnreachableError) {
    return { code: 'UNREACHABLE', detail };
  }
  return { code: error instanceof UnexpectedAnswerError ? 'UNEXPECTED_ANSWER' : 'FAILED', detail };
}

/** Adds `version`. */
function addVersion(program: Command, context: CommandContext, end: End): void {
  const command = program.command('version').description('Print the version of this command and of its Node.js');
  addOutputOptions(command)
    .addHelpText('after', '\nExample:\n  palisade version --json')
    .action(({ output }: OutputOptions) => {
      const versions = { palisade: findVersion(import.meta.dirname), node: process.versions.node };
      context.out(output === 'table' ? renderRecord(versions) : renderAnswer(versions, output));
      end(EXIT.ok);
    });
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
