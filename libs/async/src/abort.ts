/**
 * Calls the listener when the signal aborts, at once when it has aborted already. Disposing of what it returns removes the
 * listener, so that a signal that outlives many waits does not collect listeners.
 */
export function onAbort(signal: AbortSignal, listener: () => void): Disposable {
  if (signal.aborted) {
    listener();
  } else {
    signal.addEventListener('abort', listener, { once: true });
  }
  return { [Symbol.dispose]: () => signal.removeEventListener('abort', listener) };
}

/** Settles as the promise does, unless the signal aborts first: then it rejects with the signal's reason. */
export async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  using _ = onAbort(signal, () => aborted.reject(signal.reason));
  return await Promise.race([promise, aborted.promise]);
}

/** Resolves after so many milliseconds, or as soon as the signal aborts. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  using _ = onAbort(signal, resolve);
  await promise;
  clearTimeout(timer);
}
