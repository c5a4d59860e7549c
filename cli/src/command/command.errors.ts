/** The command was not called correctly; nothing was sent. */
export class UsageError extends Error {
  override readonly name = 'UsageError';

  constructor(
    message: string,
    options?: ErrorOptions,
    /** What is wrong, one by one; the message only says what follows. */
    readonly problems: readonly string[] = [],
  ) {
    super(message, options);
  }
}

/** The command could not do what it was asked to do; the message tells people why. */
export class FailureError extends Error {
  override readonly name = 'FailureError';
}

/** `ENOENT` and the like, if the error has such a code. */
export function systemErrorCode(error: unknown): string | undefined {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** The error to throw when a file that the caller named cannot be read; errors that the system did not raise stay as they are. */
export function unreadable(path: string, error: unknown, source = ''): unknown {
  const code = systemErrorCode(error);
  return code === undefined ? error : new UsageError(`${source}cannot read ${path} (${code})`, { cause: error });
}
