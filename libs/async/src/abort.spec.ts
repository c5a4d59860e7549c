import { describe, expect, it } from '@jest/globals';
import { untilAborted } from './abort.js';

describe(untilAborted.name, () => {
  it('gives what the promise comes to', async () => {
    const { signal } = new AbortController();
    await expect(untilAborted(Promise.resolve(1), signal)).resolves.toBe(1);
    await expect(untilAborted(Promise.reject(new Error('failed')), signal)).rejects.toThrow('failed');
  });

  it('rejects with the reason when the signal aborts first', async () => {
    const controller = new AbortController();
    const waiting = untilAborted(new Promise(() => {}), controller.signal);
    controller.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
  });

  it('rejects when the signal has aborted already', async () => {
    await expect(untilAborted(new Promise(() => {}), AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
  });

  it('leaves nobody to tell of a promise that fails later', async () => {
    const late = Promise.withResolvers<never>();
    await untilAborted(late.promise, AbortSignal.abort(new Error('gone'))).catch(() => {});
    late.reject(new Error('late'));
    await expect(late.promise).rejects.toThrow('late');
  });
});
