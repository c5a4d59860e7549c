import { Backoff } from '@palisade/async';
import { ApiError, UnreachableError } from '@palisade/client';

/** Up to half of a pause is left out by chance. */
const FIRST_PAUSE_MS = 800;
const MAX_PAUSE_MS = 20_000;

/** Too many requests, or an error of the service: a retry may succeed. */
export function isPassingStatus(status: number): boolean {
  return status === 429 || status >= 500;
}

/** Whether a request that failed may succeed when it is retried. */
export function isPassing(error: unknown): boolean {
  return error instanceof ApiError ? isPassingStatus(error.status) : error instanceof UnreachableError;
}

/** The pauses between attempts. */
export function retryBackoff(): Backoff {
  return new Backoff({ minMs: FIRST_PAUSE_MS, maxMs: MAX_PAUSE_MS, random: Math.random });
}
