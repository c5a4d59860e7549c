import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { StoreUnavailableError } from '@palisade/domain';
import { FakeLog, fakeStore, recordOf } from '../../test/support/fake-log.js';
import { LogFollower } from './log-follower.js';

const { signal } = new AbortController();

describe(LogFollower.name, () => {
  let log: FakeLog;
  let follower: LogFollower;
  let ends: jest.SpiedFunction<FakeLog['ends']>;

  beforeEach(() => {
    jest.useFakeTimers();
    log = new FakeLog();
    ends = jest.spyOn(log, 'ends');
    follower = new LogFollower(fakeStore(log));
  });

  afterEach(() => {
    follower.onModuleDestroy();
    jest.useRealTimers();
  });

  let actors = 0;
  function wait(position: number, of: AbortSignal = signal, actor = `admin-${actors++}`): () => boolean {
    let isOver = false;
    void follower.waitBeyond(actor, position, 20_000, of).then(() => (isOver = true));
    return () => isOver;
  }

  it('ends a wait when there are records beyond the position', async () => {
    const [first, second] = [wait(0), wait(1)];
    await jest.advanceTimersByTimeAsync(1000);
    expect([first(), second()]).toEqual([false, false]);

    await log.append([recordOf()]);
    await jest.advanceTimersByTimeAsync(250);

    expect([first(), second()]).toEqual([true, false]);
  });

  it('asks the store four times a second however many wait, and not at all when nobody does', async () => {
    const waits = Array.from({ length: 50 }, () => wait(0));
    await jest.advanceTimersByTimeAsync(10_000);
    expect(ends.mock.calls.length).toBeLessThanOrEqual(41);

    await jest.advanceTimersByTimeAsync(11_000);
    expect(waits.every((isOver) => isOver())).toBe(true);
    ends.mockClear();
    await jest.advanceTimersByTimeAsync(10_000);
    expect(ends.mock.calls.length).toBe(0);
  });

  it('lets ten waits of one actor keep nobody else from waiting', async () => {
    const waits = Array.from({ length: 11 }, () => wait(0, signal, 'greedy'));
    const other = wait(0, signal, 'other');
    await jest.advanceTimersByTimeAsync(0);
    expect(waits.map((isOver) => isOver())).toEqual([...Array.from({ length: 10 }, () => false), true]);
    expect(other()).toBe(false);
  });

  it('ends a wait whose client is gone', async () => {
    const gone = new AbortController();
    const isOver = wait(0, gone.signal);
    await jest.advanceTimersByTimeAsync(500);

    gone.abort();
    await jest.advanceTimersByTimeAsync(0);

    expect(isOver()).toBe(true);
  });

  it('lets a hundred wait and sends others away at once', async () => {
    Array.from({ length: 100 }, () => wait(0));

    expect(await follower.waitBeyond('ann', 0, 20_000, signal)).toBe(false);
  });

  it('ends all waits when the store fails, and when the process ends', async () => {
    ends.mockRejectedValueOnce(new StoreUnavailableError(1));
    const failed = wait(0);
    await jest.advanceTimersByTimeAsync(300);
    expect(failed()).toBe(true);

    const stopped = wait(0);
    follower.onModuleDestroy();
    await jest.advanceTimersByTimeAsync(0);
    expect(stopped()).toBe(true);
    expect(await follower.waitBeyond('ann', 0, 20_000, signal)).toBe(false);
  });
});
