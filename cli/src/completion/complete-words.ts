import type { Command } from 'commander';
import type { CommandContext } from '../command/context.js';
import { findIds } from './find-ids.js';
import { findOption, readTypedLine, type TypedLine } from './typed-line.js';

/**
 * What the last of the words may become: commands, options, choices and ids. Undefined where it is a path or free text: shells
 * offer files then.
 */
export async function completeWords(
  program: Command,
  words: readonly string[],
  context: CommandContext,
): Promise<readonly string[] | undefined> {
  const line = readTypedLine(program, words.slice(0, -1));
  const current = words.at(-1) ?? '';
  const [, prefix = '', value = current] = /^(--[\w-]+=)(.*)$/su.exec(current) ?? [];
  const found =
    prefix === ''
      ? await candidatesFor(line, current, context)
      : await valuesFor({ ...line, pending: findOption(line.command, prefix.slice(0, -1)) }, value, context);
  return found?.map((text) => prefix + text).filter((text) => text.startsWith(current) && isPlain(text));
}

/** Whether every shell takes it as it is. Ids come from outside, and what a shell completes is run. */
function isPlain(text: string): boolean {
  return /^[\w-][\w:@.+/=-]*$/.test(text);
}

async function candidatesFor(
  line: TypedLine,
  current: string,
  context: CommandContext,
): Promise<readonly string[] | undefined> {
  const { command, pending } = line;
  const help = command.createHelp();
  if (current.startsWith('-') && (pending === undefined || pending.variadic)) {
    return help.visibleOptions(command).flatMap(({ long }) => long ?? []);
  }
  const children = help.visibleCommands(command).map((child) => child.name());
  return pending === undefined && children.length > 0 ? children : valuesFor(line, current, context);
}

/** What the value of the pending option, or else the next argument, may be. */
async function valuesFor(
  line: TypedLine,
  current: string,
  context: CommandContext,
): Promise<readonly string[] | undefined> {
  const { command, operands, pending } = line;
  const declared = command.registeredArguments;
  const argument = declared[operands.length] ?? declared.findLast(({ variadic }) => variadic);
  const name = pending === undefined ? argument?.name() : pending.long?.slice(2);
  if (name === undefined) {
    return [];
  }
  return (pending ?? argument)?.argChoices ?? findIds(name, line, current, context);
}
