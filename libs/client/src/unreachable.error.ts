/** No answer came: the service is down, the address is wrong, or it took too long. Whether the request was carried out is not known. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';

  constructor(
    readonly origin: string,
    reason: string,
    options?: ErrorOptions,
  ) {
    super(`cannot reach ${origin}: ${reason}`, options);
  }
}
