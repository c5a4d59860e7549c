/** A value cannot be one segment of a path; nothing was sent. */
export class PathParameterError extends Error {
  override readonly name = 'PathParameterError';

  constructor(parameter: string, expectation: string) {
    super(`${parameter}: expected ${expectation}`);
  }
}
