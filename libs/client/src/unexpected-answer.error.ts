/** An answer that no service of ours gives: the address is wrong, or something stands between. */
export class UnexpectedAnswerError extends Error {
  override readonly name = 'UnexpectedAnswerError';

  constructor(
    readonly origin: string,
    found: string,
  ) {
    super(`${origin} answered ${found}: is it the right address?`);
  }
}
