import { Command, CommanderError } from 'commander';
import { UnreadableFileError } from './text-file.js';
import { printConfiguration, printSchema, validateConfiguration, type CommandResult } from './config-commands.js';

/** Where a program writes. */
export interface ProgramOutput {
  readonly out: (text: string) => void;
  readonly error: (text: string) => void;
}

/** The command was misused, or the file cannot be read. */
const MISUSED = 2;

const FILE = [
  '[file]',
  'path of the file; else what SVC_CONTROL_CONFIG names, else the built-in configuration',
] as const;

/**
 * Runs `config <arguments>`; returns the exit code: 0 when the file is valid, 1 when it has problems, 2 when there was
 * nothing to judge.
 */
export function runConfigProgram(
  arguments_: readonly string[],
  defaultFile: string | undefined,
  { out, error }: ProgramOutput,
): number {
  let exitCode = 0;
  const finish = (result: CommandResult): void => {
    error(result.messages.map((message) => `${message}\n`).join(''));
    out(result.output);
    exitCode = result.exitCode;
  };
  const program = new Command('config')
    .description(
      "The control plane's configuration file. Ends with 0 when it is valid, 1 when not, 2 when it cannot be read.",
    )
    .configureOutput({ writeOut: out, writeErr: error })
    .exitOverride();
  program
    .command('validate')
    .description('say whether the file is valid, and everything that is wrong with it')
    .argument(...FILE)
    .action((file: string | undefined = defaultFile) => finish(validateConfiguration(file)));
  program
    .command('print')
    .description('print the file as it takes effect, with all defaults, as YAML')
    .argument(...FILE)
    .action((file: string | undefined = defaultFile) => finish(printConfiguration(file)));
  program
    .command('schema')
    .description('print the JSON Schema of the file, for editors')
    .action(() => finish(printSchema()));
  try {
    program.parse(arguments_, { from: 'user' });
    return exitCode;
  } catch (thrown) {
    if (thrown instanceof CommanderError) {
      return thrown.exitCode === 0 ? 0 : MISUSED;
    }
    if (thrown instanceof UnreadableFileError) {
      error(`${thrown.message}\n`);
      return MISUSED;
    }
    throw thrown;
  }
}
