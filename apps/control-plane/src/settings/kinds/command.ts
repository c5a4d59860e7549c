import { isProgram } from './files.js';
import type { Kind } from './kind.js';

const MAX_ARGUMENTS = 64;
const MAX_ARGUMENT_LENGTH = 4096;
const MAX_LINE_LENGTH = 16_384;

/** What a shell acts upon outside quotes, and inside double quotes. */
const SHELL_SYNTAX = /[|&;<>()$`*?#~{}![\]]/;
const SHELL_SYNTAX_IN_QUOTES = /(?<!\\)[$`]/;

/**
 * A program and its arguments, run without a shell: a list, or one line that is split at blanks, in which quotes hold
 * blanks together. A line with shell syntax is refused, as it would not do what its author thinks.
 */
export const COMMAND: Kind<readonly string[]> = {
  expected: 'a program with its arguments, as a list of texts or as one line without shell syntax',
  schema: {
    anyOf: [
      { type: 'string', minLength: 1 },
      { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: MAX_ARGUMENTS },
    ],
  },
  parse: (value) => {
    const command = typeof value === 'string' ? readLine(value).command : value;
    return isCommand(command) ? command : undefined;
  },
  explain: (value) =>
    (typeof value === 'string' ? readLine(value).problem : undefined) ??
    'the program is a name to be found in PATH, or an absolute path',
};

function isCommand(value: unknown): value is readonly string[] {
  if (!Array.isArray(value) || value.length > MAX_ARGUMENTS || !value.every(isArgument)) {
    return false;
  }
  const [program] = value;
  return program !== undefined && isProgram(program);
}

function isArgument(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_ARGUMENT_LENGTH && !/\p{Cc}/u.test(value);
}

interface ReadLine {
  readonly command?: readonly string[];
  readonly problem?: string;
}

/** Splits as POSIX shells do (XCU 2.2, 2.3), and stops at what only a shell could do. */
function readLine(line: string): ReadLine {
  if (line.length > MAX_LINE_LENGTH || /\p{Cc}/u.test(line)) {
    return { problem: `expected one line of at most ${MAX_LINE_LENGTH} characters` };
  }
  const command: string[] = [];
  let word: string | undefined;
  const token = /( +)|'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|([^ '"\\]+)/y;
  while (token.lastIndex < line.length) {
    const [, blank, single, double = '', escaped, plain = ''] = token.exec(line) ?? [];
    const [syntax] = SHELL_SYNTAX.exec(plain) ?? SHELL_SYNTAX_IN_QUOTES.exec(double) ?? [];
    if (syntax !== undefined) {
      return { problem: `no shell runs it, so ${syntax} would mean nothing; quote it, or name a script` };
    }
    if (token.lastIndex === 0) {
      return { problem: 'a quote or backslash has no end' };
    }
    if (blank === undefined) {
      word = (word ?? '') + (single ?? escaped ?? plain) + double.replaceAll(/\\(["\\$`])/g, '$1');
    } else if (word !== undefined) {
      command.push(word);
      word = undefined;
    }
  }
  return { command: word === undefined ? command : [...command, word] };
}
