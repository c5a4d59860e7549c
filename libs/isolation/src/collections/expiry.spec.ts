import { describe, expect, it } from '@jest/globals';
import { VirtualClock } from '../../test/support/virtual-clock.js';
import { Expiry, ExpiryLink } from './expiry.js';

function createExpiry({ keepsProcess = false } = {}) {
  const clock = new VirtualClock();
  const expired: string[] = [];
  const expiry = new Expiry<string>({ clock, delayMs: 100, keepsProcess, onExpired: (value) => expired.push(value) });
  const add = (value: string) => {
    const link = new ExpiryLink(value);
    expiry.add(link, clock.now());
    return link;
  };
  return { clock, expired, expiry, add };
}

describe(Expiry.name, () => {
  it('lets each value expire its own time after it was added', async () => {
    const { clock, expired, add } = createExpiry();
    add('a');
    await clock.advance(60);
    add('b');
    await clock.advance(40);
    const first = [...expired];
    await clock.advance(60);
    expect([first, expired]).toEqual([['a'], ['a', 'b']]);
  });

  it('lets no value expire that was removed', async () => {
    const { clock, expired, expiry, add } = createExpiry();
    expiry.remove(add('a'));
    await clock.advance(200);
    expect(expired).toEqual([]);
  });

  it('starts again for a value that was removed and added again', async () => {
    const { clock, expired, expiry, add } = createExpiry();
    const link = add('a');
    await clock.advance(60);
    expiry.remove(link);
    expiry.add(link, clock.now());
    await clock.advance(60);
    expect(expired).toEqual([]);
  });

  it('needs one timer for all values', () => {
    const { clock, add } = createExpiry();
    for (let count = 0; count < 1000; count++) {
      add('a');
    }
    expect(clock.timers).toBe(1);
  });

  it('keeps no timer for nobody when the process waits for it', () => {
    const { clock, expiry, add } = createExpiry({ keepsProcess: true });
    expiry.remove(add('a'));
    expect(clock.timers).toBe(0);
  });

  it('lets 50 values expire in one turn at most, and the others in the next ones', async () => {
    const { clock, expired, add } = createExpiry();
    for (let count = 0; count < 120; count++) {
      add('a');
    }
    const turns: number[] = [];
    const { setBackgroundTimer } = clock;
    clock.setBackgroundTimer = (callback, delayMs) => {
      turns.push(expired.length);
      return setBackgroundTimer.call(clock, callback, delayMs);
    };
    await clock.advance(100);
    expect([turns, expired.length]).toEqual([[50, 100], 120]);
  });

  it('lets values be added while others expire', async () => {
    const clock = new VirtualClock();
    const link = new ExpiryLink('a');
    let rounds = 0;
    const expiry = new Expiry<string>({
      clock,
      delayMs: 100,
      onExpired: () => {
        rounds++;
        expiry.add(link, clock.now());
      },
    });
    expiry.add(link, clock.now());
    await clock.advance(350);
    expect([rounds, clock.timers]).toEqual([3, 1]);
  });
});
