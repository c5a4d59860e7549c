import { Command, CommanderError } from 'commander';
import { runVerifyExport } from './audit/export/verify-export-command.js';

const MISUSED = 2;

const program = new Command('audit').description('Exported action records.').exitOverride();

program
  .command('verify-export')
  .description(
    'say whether exported records are whole and in one chain. Ends with 0 when they are, 1 when not, 2 when they cannot be read.',
  )
  .argument('<location>', 'file:///<absolute path> or s3://<bucket>/<prefix>, as in `audit_backend`')
  .action(async (location: string) => {
    const { output, messages, exitCode } = await runVerifyExport(location);
    process.stderr.write(messages.map((message) => `${message}\n`).join(''));
    process.stdout.write(output);
    process.exitCode = exitCode;
  });

try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) {
    throw error;
  }
  process.exitCode = error.exitCode === 0 ? 0 : MISUSED;
}
