import type { Clock } from './clock.js';

/** What the promise comes to, unless that takes longer: then rejects with the reason, and the promise is let be. */
export async function within<T>(
  timeoutMs: number,
  clock: Clock,
  promise: Promise<T>,
  reason: () => unknown,
): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = clock.setTimer(() => late.reject(reason()), timeoutMs);
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    timer.cancel();
  }
}
