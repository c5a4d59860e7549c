import { describe, expect, it } from '@jest/globals';
import { ApiError } from '@palisade/client';
import { MAX_ATTEMPTS, persistently } from './persistently.js';

describe(persistently.name, () => {
  const { signal } = new AbortController();

  /** A request that is rejected so often before it is answered; `Retry-After: 0` keeps the test from waiting. */
  function rejectWith(status: number, times: number) {
    let asked = 0;
    const request = (): Promise<string> => {
      asked++;
      const rejection = new ApiError({ status, code: 'REFUSED', detail: 'no', retryAfterSeconds: 0 });
      return asked > times ? Promise.resolve('answer') : Promise.reject(rejection);
    };
    return { request, count: () => asked };
  }

  it.each([429, 500, 503])('asks again after %d', async (status) => {
    expect(await persistently(rejectWith(status, 2).request, signal)).toBe('answer');
  });

  it.each([400, 401, 404, 413])('does not ask again after %d', async (status) => {
    const { request, count } = rejectWith(status, 1);
    await expect(persistently(request, signal)).rejects.toThrow('REFUSED');
    expect(count()).toBe(1);
  });

  it('gives up at last', async () => {
    const { request, count } = rejectWith(503, Infinity);
    await expect(persistently(request, signal)).rejects.toThrow('REFUSED');
    expect(count()).toBe(MAX_ATTEMPTS);
  });

  it('does not wait when the command is to end', async () => {
    const ending = AbortSignal.abort();
    await expect(persistently(rejectWith(503, Infinity).request, ending)).rejects.toThrow('aborted');
  });
});
