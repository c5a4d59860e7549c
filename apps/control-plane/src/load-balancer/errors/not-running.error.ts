/** Nothing answers where the load balancer is administered. */
export class NotRunningError extends Error {
  override readonly name = 'NotRunningError';
}
