import { Backoff, pause } from '@palisade/async';
import { ApiError, UnreachableError } from '@palisade/client';

/** Enough, with the pauses between them, to outlast the restart of a service. */
export const MAX_ATTEMPTS = 8;
/** Up to half of a pause is left out by chance. */
const FIRST_PAUSE_MS = 800;
const MAX_PAUSE_MS = 20_000;

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
      const isApiError = error instanceof ApiError;
      const isPassing = isApiError ? isPassingStatus(error.status) : error instanceof UnreachableError;
      if (!isPassing || attempt === MAX_ATTEMPTS) {
        throw error;
      }
      const retryAfterSeconds = isApiError ? error.retryAfterSeconds : undefined;
      await pauseBeforeRetry(retryAfterSeconds === undefined ? backoff.next() : retryAfterSeconds * 1000, signal);
    }
  }
}

/** Too many requests, or an error of the service: a retry may succeed. */
export function isPassingStatus(status: number): boolean {
  return status === 429 || status >= 500;
}

/** The pauses between attempts. */
export function retryBackoff(): Backoff {
  return new Backoff({ minMs: FIRST_PAUSE_MS, maxMs: MAX_PAUSE_MS, random: Math.random });
}

/** @throws the signal's reason when it aborts */
export async function pauseBeforeRetry(ms: number, signal: AbortSignal): Promise<void> {
  await pause(ms, signal);
  signal.throwIfAborted();
}
