/** The command was called in a way that it does not offer: nothing was sent. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
