import type { Command, Option } from 'commander';

/** A command line that is being typed, up to the word in question. */
export interface TypedLine {
  readonly command: Command;
  /** The words after the command that are neither options nor their values. */
  readonly operands: readonly string[];
  /** The values of options, by `--name`. */
  readonly options: ReadonlyMap<string, string>;
  /** The option whose value comes next. */
  readonly pending: Option | undefined;
}

export function readTypedLine(program: Command, words: readonly string[]): TypedLine {
  let command = program;
  let pending: Option | undefined;
  const operands: string[] = [];
  const options = new Map<string, string>();
  for (const word of words) {
    const [, flag, value] = /^(--?[\w-]+)(?:=(.*))?$/su.exec(word) ?? [];
    if (pending !== undefined && !(pending.variadic && flag !== undefined)) {
      options.set(pending.long ?? '', word);
      pending = pending.variadic ? pending : undefined;
    } else if (flag !== undefined) {
      const option = findOption(command, flag);
      pending = value !== undefined || option?.isBoolean() ? undefined : option;
      options.set(option?.long ?? flag, value ?? '');
    } else {
      const child = operands.length > 0 ? undefined : findCommand(command, word);
      command = child ?? command;
      operands.push(...(child === undefined ? [word] : []));
    }
  }
  return { command, operands, options, pending };
}

export function findOption(command: Command, flag: string): Option | undefined {
  return command.options.find(({ long, short }) => flag === long || flag === short);
}

function findCommand(parent: Command, word: string): Command | undefined {
  return parent.commands.find((child) => child.name() === word || child.aliases().includes(word));
}
