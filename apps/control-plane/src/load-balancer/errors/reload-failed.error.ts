/** The load balancer did not take the configuration that it was given. */
export class ReloadFailedError extends Error {
  override readonly name = 'ReloadFailedError';
}
