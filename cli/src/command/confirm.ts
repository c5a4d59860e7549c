import type { Command } from 'commander';
import { FailureError, UsageError } from './command.errors.js';
import type { CommandContext } from './context.js';
import { printable } from './output.js';

/** The option of a command that destroys something. */
export interface ConfirmOptions {
  readonly yes?: boolean;
}

/** Adds the option of commands that destroy something. */
export function addConfirmOption(command: Command): Command {
  return command.option('--yes', 'do it without asking, as scripts have to');
}

/**
 * Says what will happen and asks whether to go on.
 *
 * @throws {UsageError} when there is nobody to ask; {@link FailureError} when the answer is no
 */
export async function confirm(
  consequences: readonly string[],
  { yes }: ConfirmOptions,
  context: CommandContext,
): Promise<void> {
  if (yes) {
    return;
  }
  context.error(consequences.map((line) => `${printable(line)}\n`).join(''));
  if (context.ask === undefined) {
    throw new UsageError('nothing was done: without a terminal to ask on, this needs --yes');
  }
  const answer = await context.ask('Go on? [y/N] ');
  if (!/^y(es)?$/i.test(answer.trim())) {
    throw new FailureError('nothing was done');
  }
}
