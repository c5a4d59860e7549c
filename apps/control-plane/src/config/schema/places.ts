import { parseHostPort, type HostPort } from '@palisade/domain';
import { matching, parsed, textOf, value } from '@palisade/isolation/settings';
import { z } from 'zod';

type Text = z.ZodType<string, string>;

export const HOST_PORT: z.ZodType<HostPort, string> = textOf({
  expected: 'host:port, port 1 to 65535; an IPv6 address in brackets',
  pattern: /^(\[[0-9A-Fa-f:.]{2,45}\]|[A-Za-z0-9._-]{1,253}):\d{1,5}$/,
  read: readAddress,
  write: formatAddress,
});

/** `host:port` or a URL of HTTP or gRPC, without credentials; the text as given. */
export const ENDPOINT: Text = textOf({
  expected: 'host:port, or a URL of http, https or grpc without credentials',
  read: (given) => (readAddress(given) !== undefined || isEndpointUrl(given) ? given : undefined),
});

/** An HTTP URL without credentials; the text as given. */
export const HTTP_URL: Text = matching('a URL of http or https without credentials', /^https?:\/\//, isEndpointUrl);

/** Where the log is exported to. */
export const AUDIT_LOCATION: z.ZodType<URL, string> = textOf({
  expected: 'file:///<absolute path> or s3://<bucket>/<prefix>',
  pattern: /^(file:\/\/\/|s3:\/\/)/,
  read: (given) => {
    const url = given.length <= 2048 && !/[\p{Cc}\s\\?#@]/u.test(given) ? URL.parse(given) : null;
    return url !== null && isAuditLocation(url, given) ? url : undefined;
  },
});

/** An absolute path of a file, without `.` and `..`. */
export const FILE_PATH: Text = matching(
  'an absolute path of a file, without "." and ".." in it',
  /^\//,
  isAbsoluteFile,
);

/** A file that holds a secret; the secret itself is easily put here by mistake. */
export const SECRET_FILE: Text = value(z.string().regex(/^\//).refine(isAbsoluteFile), {
  expected: 'an absolute path of a file that holds the secret',
  isSecret: true,
});

/** A program to run: a name that is found in PATH, or an absolute path. */
export const PROGRAM: Text = matching(
  'a program: a name to be found in PATH, or an absolute path',
  /^[/A-Za-z0-9]/,
  isProgram,
);

export const REQUEST_PATH: Text = matching(
  'the path of a request, such as /health/ready',
  /^\/[\w\-.~%!$&'()*+,;=:@/?]{0,1023}$/,
);

const MAX_ARGUMENTS = 64;
const MAX_ARGUMENT_LENGTH = 4096;
const MAX_LINE_LENGTH = 16_384;

/** Characters that a shell acts upon outside quotes, and inside double quotes. */
const SHELL_SYNTAX = /[|&;<>()$`*?#~{}![\]]/;
const SHELL_SYNTAX_IN_QUOTES = /(?<!\\)[$`]/;

export type Command = readonly [program: string, ...args: string[]];

/**
 * A program and its arguments, run without a shell: a list, or one line that is split at blanks, in which quotes hold
 * blanks together. A line with shell syntax is invalid, as it would not do what its author expects.
 */
export const COMMAND: z.ZodType<Command, string | readonly string[]> = parsed(
  z.union([z.string().min(1), z.array(z.string()).min(1).max(MAX_ARGUMENTS)]),
  {
    expected: 'a program with its arguments, as a list of texts or as one line without shell syntax',
    read: (given) => {
      const command = typeof given === 'string' ? splitLine(given).command : given;
      return isCommand(command) ? command : undefined;
    },
    write: (command) => [...command],
    explain: (given) =>
      (typeof given === 'string' ? splitLine(given).problem : undefined) ??
      'the program is a name to be found in PATH, or an absolute path',
  },
);

function isCommand(given: readonly string[] | undefined): given is Command {
  const [program] = given ?? [];
  return (
    program !== undefined && isProgram(program) && given?.every(isArgument) === true && given.length <= MAX_ARGUMENTS
  );
}

function isArgument(given: string): boolean {
  return given.length <= MAX_ARGUMENT_LENGTH && !/\p{Cc}/u.test(given);
}

interface SplitLine {
  readonly command?: readonly string[];
  readonly problem?: string;
}

/** Splits as POSIX shells do (XCU 2.2, 2.3), and stops at what only a shell could do. */
function splitLine(line: string): SplitLine {
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

export function formatAddress({ host, port }: HostPort): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function readAddress(given: string): HostPort | undefined {
  const address = parseHostPort(given);
  return address === undefined || address.port === 0 ? undefined : address;
}

function isEndpointUrl(given: string): boolean {
  const isUrl = given.length <= 2048 && /^(https?|grpc):\/\/[^\s\\/?#@]+(\/[^\s\\?#@]*)?$/i.test(given);
  return isUrl && URL.canParse(given);
}

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

function isAuditLocation({ protocol, host, pathname }: URL, given: string): boolean {
  if (protocol === 'file:') {
    // URL drops ".." silently: what is written has to be where it leads.
    return given.startsWith('file:///') && pathname.length > 1 && given.slice('file://'.length) === pathname;
  }
  return protocol === 's3:' && BUCKET.test(host) && !host.includes('..') && !/(^|\/)\.{1,2}(\/|$)/.test(given.slice(5));
}

function isProgram(given: string): boolean {
  return isAbsoluteFile(given) || /^[A-Za-z0-9][\w.+-]{0,127}$/.test(given);
}

function isAbsoluteFile(given: string): boolean {
  const [first, ...parts] = given.split('/');
  return (
    given.length <= 4096 &&
    !/\p{Cc}/u.test(given) &&
    given.isWellFormed() &&
    first === '' &&
    parts.length > 0 &&
    parts.every((part) => part !== '' && part !== '.' && part !== '..')
  );
}
