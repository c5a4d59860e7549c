import { Argument, type Command } from 'commander';
import type { CommandContext } from './command/context.js';

/** Adds `completion`, which covers all commands of the program. */
export function addCompletion(program: Command, context: CommandContext): void {
  program
    .command('completion')
    .description('Print a shell completion script for this command')
    .addArgument(new Argument('<shell>', 'shell to complete in').choices(SHELLS))
    .addHelpText('after', '\nExample:\n  source <(palisade completion bash)')
    .action((shell: Shell) => context.out(completionScript(shell, completionEntries(program))));
}

/** The words that may follow `palisade <path>`. */
export interface CompletionEntry {
  /** The words typed before, separated by spaces; empty for the program itself. */
  readonly path: string;
  readonly words: readonly string[];
}

/** The words that may follow each command of a program. */
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

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** The completion script of a shell. All names in it are our own: letters, digits and dashes, so they need no quoting. */
export function completionScript(shell: Shell, entries: readonly CompletionEntry[]): string {
  switch (shell) {
    case 'bash':
      return bash(entries);
    case 'zsh':
      return `#compdef palisade\nautoload -U +X bashcompinit && bashcompinit\n${bash(entries)}`;
    case 'fish':
      return fish(entries);
    default:
      return shell satisfies never;
  }
}

function bash(entries: readonly CompletionEntry[]): string {
  const cases = entries.map(({ path, words }) => `    '${path}') words='${words.join(' ')}' ;;`);
  return `_palisade() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path='' word words='' index
  for ((index = 1; index < COMP_CWORD; index++)); do
    word="\${COMP_WORDS[index]}"
    [[ "$word" == -* ]] && break
    case "\${path:+$path }$word" in
${entries.flatMap(({ path }) => (path === '' ? [] : [`      '${path}') path='${path}' ;;`])).join('\n')}
    esac
  done
  case "$path" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  [[ \${#COMPREPLY[@]} -eq 0 && "$current" != -* ]] && COMPREPLY=($(compgen -f -- "$current"))
  return 0
}
complete -F _palisade palisade
`;
}

function fish(entries: readonly CompletionEntry[]): string {
  const lines = entries.flatMap(({ path, words }) => {
    const seen = path.split(' ').filter((word) => word !== '');
    const others = words.filter((word) => !word.startsWith('-'));
    const conditions = [
      ...seen.map((word) => `__fish_seen_subcommand_from ${word}`),
      ...(others.length > 0 ? [`not __fish_seen_subcommand_from ${others.join(' ')}`] : []),
    ];
    const when = conditions.length === 0 ? '' : ` -n '${conditions.join('; and ')}'`;
    return words.map((word) =>
      word.startsWith('--')
        ? `complete -c palisade${when} -l ${word.slice(2)}`
        : `complete -c palisade -f${when} -a ${word}`,
    );
  });
  return `${lines.join('\n')}\n`;
}
