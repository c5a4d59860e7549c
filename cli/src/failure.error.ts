/** The command could not do what it was asked; the message says why, to people. */
export class FailureError extends Error {
  override readonly name = 'FailureError';
}
