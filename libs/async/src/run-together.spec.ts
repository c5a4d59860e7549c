import { describe, expect, it } from '@jest/globals';
import { runTogether } from './run-together.js';

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve());
    if (signal.aborted) {
      resolve();
    }
  });

describe(runTogether.name, () => {
  it('ends when the signal aborts', async () => {
    const term = new AbortController();
    const ended = runTogether(term.signal, untilAborted, untilAborted);
    term.abort();
    await expect(ended).resolves.toBeUndefined();
  });

  it('ends at once when the signal has aborted', async () => {
    await expect(runTogether(AbortSignal.abort(), untilAborted)).resolves.toBeUndefined();
  });

  it('ends all when one fails, waits for them, and tells of the first failure', async () => {
    const events: string[] = [];
    const lingering = async (signal: AbortSignal): Promise<void> => {
      await untilAborted(signal);
      await new Promise(setImmediate);
      events.push('the other has ended');
      throw new Error('second');
    };
    const failing = async (): Promise<void> => {
      throw new Error('first');
    };
    await expect(runTogether(new AbortController().signal, lingering, failing)).rejects.toThrow('first');
    expect(events).toEqual(['the other has ended']);
  });

  it('leaves nothing behind on the signal', async () => {
    const term = new AbortController();
    let listeners = 0;
    const { addEventListener, removeEventListener } = term.signal;
    term.signal.addEventListener = (...args: Parameters<AbortSignal['addEventListener']>) => {
      listeners++;
      addEventListener.apply(term.signal, args);
    };
    term.signal.removeEventListener = (...args: Parameters<AbortSignal['removeEventListener']>) => {
      listeners--;
      removeEventListener.apply(term.signal, args);
    };
    await runTogether(term.signal, async () => {});
    expect(listeners).toBe(0);
  });
});
