import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, UnreachableError } from '@palisade/client';

/** With their pauses, they outlast the restart of a service. */
export const MAX_ATTEMPTS = 8;
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 15_000;

/**
 * Asks again for what a service cannot do at the moment, as its `Retry-After` says or with growing pauses.
 *
 * @throws {ApiError} {@link UnreachableError} when it stays unable, or refuses.
 */
export async function persistently<T>(request: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await request();
    } catch (error) {
      const isApiError = error instanceof ApiError;
      const isPassing = isApiError ? isPassingStatus(error.status) : error instanceof UnreachableError;
      if (!isPassing || attempt === MAX_ATTEMPTS) {
        throw error;
      }
      await pause(attempt, signal, isApiError ? error.retryAfterSeconds : undefined);
    }
  }
}

/** Too many requests, or an error of the service: it may be different in a moment. */
export function isPassingStatus(status: number): boolean {
  return status === 429 || status >= 500;
}

/** Waits before the next attempt. */
export async function pause(attempt: number, signal: AbortSignal, retryAfterSeconds?: number): Promise<void> {
  const growingMs = Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), MAX_PAUSE_MS);
  await sleep(retryAfterSeconds === undefined ? growingMs : retryAfterSeconds * 1000, undefined, { signal });
}
