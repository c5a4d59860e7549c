import { Command, CommanderError } from 'commander';
import { runVerifyExport } from './log/verify-export.js';

const MISUSED = 2;

const program = new Command('log').description('The exported log.').exitOverride();

program
  .command('verify-export')
  .description(
    'say whether the exported records are complete and in one chain. Ends with 0 when they are, 1 when not, 2 when they cannot be read.',
  )
  .argument('<location>', 'file:///<absolute path> or s3://<bucket>/<prefix>, as in `audit_backend`')
  .option('--kept <position:seal>', 'what an earlier verification or a seal has told; the export must still have it')
  .action(async (location: string, { kept }: { readonly kept?: string }) => {
    const { output, messages, exitCode } = await runVerifyExport(location, kept);
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
