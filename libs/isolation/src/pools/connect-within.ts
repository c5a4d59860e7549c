import type { NamespaceId } from '@palisade/domain';
import type { Clock } from '@palisade/async';
import type { ConnectionDriver, Credentials } from './connection-driver.js';

export interface ConnectTarget<C> {
  readonly driver: ConnectionDriver<C>;
  readonly clock: Clock;
  readonly attempt: AbortController;
  readonly namespace: NamespaceId;
  readonly credentials?: Credentials;
}

/**
 * Connects, and aborts the attempt after `timeoutMs`. A connection that is made nevertheless is the caller's; a
 * rejection names the reason of the abort when there was one.
 */
export async function connectWithin<C>(
  timeoutMs: number,
  { driver, clock, attempt, namespace, credentials }: ConnectTarget<C>,
): Promise<C> {
  const timer = clock.setTimer(() => attempt.abort(new Error(`no connection within ${timeoutMs} ms`)), timeoutMs);
  try {
    return await driver.connect(namespace, attempt.signal, credentials);
  } catch (error) {
    throw attempt.signal.aborted ? attempt.signal.reason : error;
  } finally {
    timer.cancel();
  }
}
