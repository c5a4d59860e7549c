import type { Command } from 'commander';
import { createProgram } from './palisade.js';

/** The help of every command, as docs/cli.md has it. */
export function renderCommandReference(): string {
  let help = '';
  const program = createProgram(
    {
      env: {},
      out: (text) => {
        help += text;
      },
      error: () => undefined,
      isTerminal: false,
      now: () => 0,
      signal: new AbortController().signal,
    },
    () => undefined,
  );
  const render = (command: Command, path: string): string[] => {
    help = '';
    command.outputHelp();
    const mark = command === program ? '##' : '###';
    const section = `${mark} \`${path}\`\n\n\`\`\`text\n${help.trimEnd()}\n\`\`\``;
    const children = command
      .createHelp()
      .visibleCommands(command)
      .filter((child) => child.name() !== 'help');
    return [section, ...children.flatMap((child) => render(child, `${path} ${child.name()}`))];
  };
  return render(program, program.name()).join('\n\n');
}
