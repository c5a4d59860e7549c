/** A name was not, or perhaps not, updated. The message is for the operator. */
export class DnsUpdateError extends Error {
  override readonly name = 'DnsUpdateError';
}
