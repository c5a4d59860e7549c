import type { Command } from 'commander';

/** What may follow a command: `words` after `palisade <path>`. */
export interface CompletionEntry {
  /** Words before, with spaces between; empty after the program's name. */
  readonly path: string;
  readonly words: readonly string[];
}

/** What may follow each command of a program. */
export function completionEntries(command: Command, path: readonly string[] = []): CompletionEntry[] {
  const commands = command.createHelp().visibleCommands(command);
  const options = command
    .createHelp()
    .visibleOptions(command)
    .flatMap(({ long }) => long ?? []);
  const entry = { path: path.join(' '), words: [...commands.map((child) => child.name()), ...options] };
  const real = command.commands.filter((child) => child.name() !== 'help');
  return [entry, ...real.flatMap((child) => completionEntries(child, [...path, child.name()]))];
}
