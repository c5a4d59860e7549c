import type { Command } from 'commander';
import type { ExitCode, Session } from '../session.js';
import { runProgram } from './run-program.js';

const CONFIG_PROGRAM = 'apps/control-plane/src/config-command.js';
const MIGRATE_PROGRAM = 'apps/scim-service/src/migrate.js';

const CONFIG_COMMANDS = [
  { name: 'validate', takesFile: true, summary: 'Say whether the file is valid, and everything that is wrong with it' },
  { name: 'print', takesFile: true, summary: 'Print the file as it takes effect, with all defaults, as YAML' },
  { name: 'schema', takesFile: false, summary: 'Print the JSON Schema of the file, for editors' },
] as const;

/** Adds the commands that ask no service: they run programs that are built beside this one. */
export function addPrograms(program: Command, session: Session, end: (code: ExitCode) => void): void {
  const config = program
    .command('config')
    .description("The control plane's configuration file.")
    .addHelpText('after', '\nExample:\n  palisade config validate control-plane.yaml');
  for (const { name, takesFile, summary } of CONFIG_COMMANDS) {
    const command = config.command(name).description(summary);
    if (takesFile) {
      command.argument(
        '[file]',
        'path of the file; else what SVC_CONTROL_CONFIG names, else the built-in configuration',
      );
    }
    command
      .addHelpText('after', `\nExample:\n  palisade config ${name}${takesFile ? ' control-plane.yaml' : ''}`)
      .action(async () => end(await runProgram(CONFIG_PROGRAM, [name, ...command.args], session)));
  }
  program
    .command('migrate')
    .description('Bring the schema of the store that SVC_STORE_URL names up to date')
    .addHelpText('after', '\nExample:\n  SVC_STORE_URL=postgres://palisade@db/palisade palisade migrate')
    .action(async () => end(await runProgram(MIGRATE_PROGRAM, [], session)));
}
