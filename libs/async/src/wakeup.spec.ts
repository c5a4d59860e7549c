import { describe, expect, it } from '@jest/globals';
import { Wakeup } from './wakeup.js';

const FOREVER_MS = 2 ** 30;

describe(Wakeup.name, () => {
  it('ends the wait when it is woken, when the time is over, and when the signal aborts', async () => {
    const wakeup = new Wakeup();
    const end = new AbortController();
    const woken = wakeup.wait(FOREVER_MS, end.signal);
    wakeup.wake();
    await woken;
    await wakeup.wait(1, end.signal);
    const aborted = wakeup.wait(FOREVER_MS, end.signal);
    end.abort();
    await aborted;
    expect(end.signal.aborted).toBe(true);
  });

  it('does not lose what happens while nobody waits, and tells it once', async () => {
    const wakeup = new Wakeup();
    const { signal } = new AbortController();
    wakeup.wake();
    wakeup.wake();
    await wakeup.wait(FOREVER_MS, signal);
    let isOver = false;
    const second = wakeup.wait(FOREVER_MS, signal).then(() => (isOver = true));
    await Promise.resolve();
    expect(isOver).toBe(false);
    wakeup.wake();
    await second;
  });
});
