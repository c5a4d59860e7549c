import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { onAbort } from '@palisade/async';
import type { Command } from 'commander';
import { FailureError } from './command/command.errors.js';
import { addConfirmOption, confirm, type ConfirmOptions } from './command/confirm.js';
import { EXIT, type CommandContext, type End, type ExitCode } from './command/context.js';

const CONFIG_PROGRAM = 'apps/control-plane/src/config-command.js';
const MIGRATE_PROGRAM = 'apps/scim-service/src/migrate.js';
const PRUNE_LOG_PROGRAM = 'apps/scim-service/src/prune-log.js';

const DIST = join(import.meta.dirname, '../..');
/** The Node.js that the checkout brings, as the system's may be too old for the programs. Images have no other. */
const BUNDLED_NODE = join(DIST, '../node_modules/node/bin/node');

const CONFIG_COMMANDS = [
  { name: 'validate', takesFile: true, summary: 'Check the file and report everything that is wrong with it' },
  { name: 'print', takesFile: true, summary: 'Print the file as it takes effect, with all defaults, as YAML' },
  { name: 'schema', takesFile: false, summary: 'Print the JSON Schema of the file, for editors' },
] as const;

/** Adds the commands that send no requests: they run programs of the services, which images and checkouts have. */
export function addBuiltPrograms(program: Command, context: CommandContext, end: End): void {
  const config = program
    .command('config')
    .description("The control plane's configuration file.")
    .addHelpText('after', '\nExample:\n  palisade config validate control-plane.yaml');
  for (const { name, takesFile, summary } of CONFIG_COMMANDS) {
    const command = config.command(name).description(summary);
    if (takesFile) {
      command.argument(
        '[file]',
        'path of the file (default: what SVC_CONTROL_CONFIG names, or else the built-in configuration)',
      );
    }
    command
      .addHelpText('after', `\nExample:\n  palisade config ${name}${takesFile ? ' control-plane.yaml' : ''}`)
      .action(async () => end(await runBuiltProgram(findProgram(CONFIG_PROGRAM), [name, ...command.args], context)));
  }
  program
    .command('migrate')
    .description('Bring the schema of the store that SVC_STORE_URL names up to date')
    .addHelpText('after', '\nExample:\n  SVC_STORE_URL=postgres://palisade@db/palisade palisade migrate')
    .action(async () => end(await runBuiltProgram(findProgram(MIGRATE_PROGRAM), [], context)));
  const pruneLog = program
    .command('prune-log')
    .description(
      'Remove old records of the log from the store that SVC_STORE_URL names; a control plane does so by itself',
    )
    .requiredOption('--days <count>', 'how old records have to be; none is removed that a consumer has not read');
  addConfirmOption(pruneLog)
    .addHelpText(
      'after',
      '\nExample:\n  SVC_STORE_URL=postgres://palisade@db/palisade palisade prune-log --days 400 --yes',
    )
    .action(async ({ days, ...options }: ConfirmOptions & { readonly days: string }) => {
      const found = findProgram(PRUNE_LOG_PROGRAM);
      await confirm([`records of the log that are older than ${days} days will be gone`], options, context);
      end(await runBuiltProgram(found, ['--days', days], context));
    });
}

/** The path of a program. @throws {FailureError} when it is not here, as in the installed package, or not built */
function findProgram(path: string): string {
  const program = join(DIST, path);
  if (!existsSync(program)) {
    const [, service] = path.split('/');
    throw new FailureError(
      `this is a program of the ${service}, which @palisade/cli does not contain: run "node dist/${path}" in the image of the ${service}, or this command in a checkout after "npm run build"`,
    );
  }
  return program;
}

/** Runs a program to its end with our environment, input and output. */
async function runBuiltProgram(
  program: string,
  arguments_: readonly string[],
  context: CommandContext,
): Promise<ExitCode> {
  const node = existsSync(BUNDLED_NODE) ? BUNDLED_NODE : process.execPath;
  const child = spawn(node, ['--enable-source-maps', program, ...arguments_], { env: context.env, stdio: 'inherit' });
  using _ = onAbort(context.signal, () => void child.kill('SIGTERM'));
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? EXIT.failed;
}
