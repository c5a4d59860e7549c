import type { CompletionEntry } from './completion-words.js';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** A script that a shell reads to complete the words of `palisade`. All names in it are ours: letters, digits and dashes. */
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
