import { Argument, type Command } from 'commander';
import type { Session } from '../session.js';
import { completionScript, SHELLS, type Shell } from './completion-scripts.js';
import { completionEntries } from './completion-words.js';

/** Adds `completion`, for all commands that the program has when it is called. */
export function addCompletion(program: Command, session: Session): void {
  program
    .command('completion')
    .description('Print a script that completes the words of this command')
    .addArgument(new Argument('<shell>', 'shell that reads it').choices(SHELLS))
    .addHelpText('after', '\nExample:\n  source <(palisade completion bash)')
    .action((shell: Shell) => session.out(completionScript(shell, completionEntries(program))));
}
