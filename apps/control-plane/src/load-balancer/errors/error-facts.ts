/** What the system calls the error, such as `ENOENT`. */
export function codeOf(error: unknown): string | undefined {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;
}

export function messageOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : String(error);
}

const ABSENT: ReadonlySet<string | undefined> = new Set(['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE']);

/** Whether the error means that nobody listens on a socket, or not any more. */
export function isSilence(error: unknown): boolean {
  return ABSENT.has(codeOf(error));
}
