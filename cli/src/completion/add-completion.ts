import { Argument, type Command } from 'commander';
import { EXIT, type CommandContext, type End } from '../command/context.js';
import { completeWords } from './complete-words.js';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** Adds `completion`, and the hidden command that its scripts call: it ends with 1 where the shell is to offer files. */
export function addCompletion(program: Command, context: CommandContext, end: End): void {
  program
    .command('completion')
    .description('Print a shell completion script for this command')
    .addArgument(new Argument('<shell>', 'shell to complete in').choices(SHELLS))
    .addHelpText('after', '\nExample:\n  source <(palisade completion bash)')
    .action((shell: Shell) => context.out(SCRIPTS[shell]));
  program
    .command('__complete', { hidden: true })
    .argument('[words...]')
    .action(async (words: readonly string[]) => {
      const found = await completeWords(program, words, context);
      context.out((found ?? []).map((word) => `${word}\n`).join(''));
      end(found === undefined ? EXIT.failed : EXIT.ok);
    });
}

// bash splits words at colons and at "=", and replaces only what follows the last of them: ids have colons. macOS has bash 3.2.
const BASH = `_palisade() {
  local line="\${COMP_LINE:0:COMP_POINT}" found current word
  local -a words
  read -ra words <<< "$line"
  [[ "$line" == *[[:space:]] ]] && words+=('')
  current="\${words[\${#words[@]}-1]}"
  if ! found="$(palisade __complete -- "\${words[@]:1}" 2>/dev/null)"; then
    compopt -o filenames 2>/dev/null
    found="$(compgen -f -- "$current")"
  fi
  COMPREPLY=()
  while IFS= read -r word; do
    [[ -n "$word" ]] && COMPREPLY+=("\${word#"\${current%"\${current##*[:=]}"}"}")
  done <<< "$found"
}
complete -F _palisade palisade
`;

const ZSH = `#compdef palisade
(( $+functions[compdef] )) || { autoload -U compinit && compinit }
_palisade() {
  local found
  if found="$(palisade __complete -- "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null)"; then
    compadd -- \${(f)found}
  else
    _files
  fi
}
compdef _palisade palisade
`;

const FISH = `function __palisade_complete
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  if set -l found (palisade __complete -- $words[2..-1] "$current" 2>/dev/null)
    string join \\n -- $found
  else
    __fish_complete_path "$current"
  end
end
complete -c palisade -f -a '(__palisade_complete)'
`;

const SCRIPTS: Readonly<Record<Shell, string>> = { bash: BASH, zsh: ZSH, fish: FISH };
