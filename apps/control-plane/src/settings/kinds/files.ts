import { textKind, type Kind } from './kind.js';
import { text } from './basic-kinds.js';

const MAX_PATH_LENGTH = 4096;

/** An absolute path of a file, without `.` and `..`. */
export const FILE_PATH: Kind<string> = textKind(
  'an absolute path of a file, without "." and ".." in it',
  '^/',
  (value) => (isAbsoluteFile(value) ? value : undefined),
);

/** A file with a secret in it: what stands there by mistake may be the secret itself. */
export const SECRET_FILE: Kind<string> = {
  ...FILE_PATH,
  expected: 'an absolute path of a file that holds the secret',
  isSecret: true,
};

/** A program to be run: found in PATH by its name, or an absolute path. */
export const PROGRAM: Kind<string> = textKind(
  'a program: a name to be found in PATH, or an absolute path',
  '^[/A-Za-z0-9]',
  (value) => (isProgram(value) ? value : undefined),
);

/** The path of a request. */
export const REQUEST_PATH: Kind<string> = {
  ...text(1024),
  ...textKind('the path of a request, such as /health/ready', '^/', (value) =>
    /^\/[\w\-.~%!$&'()*+,;=:@/?]{0,1023}$/.test(value) ? value : undefined,
  ),
};

export function isProgram(value: string): boolean {
  return isAbsoluteFile(value) || /^[A-Za-z0-9][\w.+-]{0,127}$/.test(value);
}

function isAbsoluteFile(value: string): boolean {
  const [first, ...parts] = value.split('/');
  return (
    value.length <= MAX_PATH_LENGTH &&
    !/\p{Cc}/u.test(value) &&
    value.isWellFormed() &&
    first === '' &&
    parts.length > 0 &&
    parts.every((part) => part !== '' && part !== '.' && part !== '..')
  );
}
