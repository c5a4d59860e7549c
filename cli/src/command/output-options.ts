import { Option, type Command } from 'commander';
import { renderJson, renderYaml } from './output.js';

export const OUTPUT_FORMATS = ['table', 'json', 'yaml'] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

/** The options of a command that say how it prints. */
export interface OutputOptions {
  readonly output: OutputFormat;
}

/** Adds the options of commands that print an answer. */
export function addOutputOptions(command: Command): Command {
  return command
    .addOption(new Option('-o, --output <format>', 'how to print the answer').choices(OUTPUT_FORMATS).default('table'))
    .addOption(
      new Option('--json', 'print the answer, and an error, as JSON: the same as -o json').implies({ output: 'json' }),
    );
}

/** Whether errors are to be JSON, even when the rest of the command line is wrong. */
export function wantsJson(arguments_: readonly string[]): boolean {
  const end = arguments_.indexOf('--');
  const words = end === -1 ? arguments_ : arguments_.slice(0, end);
  return words.some(
    (word, index) =>
      ['--json', '-ojson', '-o=json', '--output=json'].includes(word) ||
      (word === 'json' && ['-o', '--output'].includes(words[index - 1] ?? '')),
  );
}

/** An answer as a program reads it; an answer without a body is nothing. */
export function renderAnswer(answer: unknown, format: Exclude<OutputFormat, 'table'>): string {
  if (answer === undefined) {
    return '';
  }
  return format === 'json' ? renderJson(answer) : renderYaml(answer);
}
