import { Command, CommanderError } from 'commander';
import { dump } from 'js-yaml';
import { readConfiguration, type ReadSettings } from './read-settings.js';
import { configurationSchema } from './reference.js';
import { UnreadableFileError } from './text-file.js';

/** Where a program writes. */
export interface ProgramOutput {
  readonly out: (text: string) => void;
  readonly error: (text: string) => void;
}

const INVALID = 1;
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
  const report = (file: string | undefined, describe: (valid: Valid) => string): void => {
    const { settings, complete, problems, warnings } = readConfiguration(file);
    const messages = [...problems, ...warnings.map((warning) => `warning: ${warning}`)];
    error(messages.map((message) => `${message}\n`).join(''));
    if (settings === undefined || complete === undefined) {
      exitCode = INVALID;
    } else {
      out(describe({ settings, complete }));
    }
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
    .action((file: string | undefined = defaultFile) =>
      report(file, (valid) => `${file ?? 'the built-in configuration'} is valid: ${summarize(valid)}\n`),
    );
  program
    .command('print')
    .description('print the file as it takes effect, with all defaults, as YAML')
    .argument(...FILE)
    // The file has no secrets, only the names of files that hold them.
    .action((file: string | undefined = defaultFile) =>
      report(file, ({ complete }) => dump(complete(), { noRefs: true, lineWidth: -1 })),
    );
  program
    .command('schema')
    .description('print the JSON Schema of the file, for editors')
    .action(() => out(`${JSON.stringify(configurationSchema(), undefined, 2)}\n`));
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

type Valid = Required<Pick<ReadSettings, 'settings' | 'complete'>>;

function summarize({ settings: { deployment, pools, routing } }: Valid): string {
  return `${deployment.model}, ${pools.size} pools, ${routing.namespaceRoutes.length} routes, ${routing.rules.length} rules`;
}
