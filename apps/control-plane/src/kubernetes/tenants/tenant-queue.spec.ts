import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { TenantQueue } from './tenant-queue.js';

describe(TenantQueue.name, () => {
  let queue: TenantQueue;
  beforeEach(() => {
    jest.useFakeTimers({ now: 0 });
    queue = new TenantQueue();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  const nothing = (): string[] => [];
  /** Whether somebody who waits goes on before the time has passed. */
  async function isWoken(): Promise<boolean> {
    let hasEnded = false;
    const wait = async (): Promise<void> => {
      await queue.wait(1000, new AbortController().signal);
      hasEnded = true;
    };
    const waiting = wait();
    await jest.advanceTimersByTimeAsync(999);
    const isEarly = hasEnded;
    await jest.advanceTimersByTimeAsync(1);
    await waiting;
    return isEarly;
  }

  it('has each name once, until it is done', () => {
    queue.add(['a', 'b']);
    queue.add(['a']);
    expect(queue.take(nothing)).toEqual(['a', 'b']);
    queue.done('a');
    expect([queue.take(nothing), queue.isEmpty]).toEqual([['b'], false]);
    queue.done('b');
    expect(queue.isEmpty).toBe(true);
  });

  it('asks what everything is when that is due, once', () => {
    queue.addAll();
    expect([queue.isEmpty, queue.take(() => ['a', 'b'])]).toEqual([false, ['a', 'b']]);
    expect(queue.take(() => ['c'])).toEqual(['a', 'b']);
  });

  it('wakes whoever waits when something is asked for, before or meanwhile', async () => {
    queue.add(['a']);
    expect(await isWoken()).toBe(true);
    setTimeout(() => queue.addAll(), 10);
    expect(await isWoken()).toBe(true);
  });

  it('wakes nobody for nothing', async () => {
    queue.add([]);
    expect(await isWoken()).toBe(false);
  });

  it('has again what was not done, but wakes nobody for it', async () => {
    queue.putBack('a');
    expect([queue.take(nothing), await isWoken()]).toEqual([['a'], false]);
  });

  it('forgets everything', () => {
    queue.add(['a']);
    queue.addAll();
    queue.clear();
    expect([queue.isEmpty, queue.take(() => ['b'])]).toEqual([true, []]);
  });
});
