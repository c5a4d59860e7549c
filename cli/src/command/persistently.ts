import { pause } from '@palisade/async';
import { ApiError } from '@palisade/client';
import { isPassing, retryBackoff } from './passing-failures.js';

/** Enough, with the pauses between them, to outlast the restart of a service. */
export const MAX_ATTEMPTS = 8;

/**
 * Retries a request that fails for the moment, after the time in `Retry-After`, else with growing pauses.
 *
 * @throws {ApiError} {@link UnreachableError} when it keeps failing, or will not succeed by being retried
 */
export async function persistently<T>(request: () => Promise<T>, signal: AbortSignal): Promise<T> {
  const backoff = retryBackoff();
  for (let attempt = 1; ; attempt++) {
    try {
      return await request();
    } catch (error) {
      if (!isPassing(error) || attempt === MAX_ATTEMPTS) {
        throw error;
      }
      const retryAfterSeconds = error instanceof ApiError ? error.retryAfterSeconds : undefined;
      await pauseBeforeRetry(retryAfterSeconds === undefined ? backoff.next() : retryAfterSeconds * 1000, signal);
    }
  }
}

/** @throws the signal's reason when it aborts */
export async function pauseBeforeRetry(ms: number, signal: AbortSignal): Promise<void> {
  await pause(ms, signal);
  signal.throwIfAborted();
}
