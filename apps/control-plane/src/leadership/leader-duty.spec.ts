import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { StoreUnavailableError, type HeldLease } from '@palisade/domain';
import { PeriodicDuty, type LeaderTerm } from './leader-duty.js';

class CountingDuty extends PeriodicDuty {
  override readonly name = 'counting';
  rounds = 0;
  failure: Error | undefined;

  override run({ signal }: LeaderTerm): Promise<void> {
    return this.repeat(signal, () => this.count(), 1000);
  }
  private async count(): Promise<void> {
    this.rounds += 1;
    if (this.failure !== undefined) {
      throw this.failure;
    }
  }
}

describe(PeriodicDuty.name, () => {
  let duty: CountingDuty;
  let ending: AbortController;
  let ended: Promise<string>;
  let warn: jest.SpiedFunction<Logger['warn']>;
  beforeEach(() => {
    jest.useFakeTimers();
    warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    duty = new CountingDuty();
    ending = new AbortController();
    const lease = (): HeldLease => ({ name: 'leader', holder: 'a', epoch: 1, expiresAt: new Date(0) });
    const run = duty.run({ signal: ending.signal, lease, isHeld: () => true });
    ended = run.then(
      () => 'ended',
      (error: Error) => error.message,
    );
  });
  afterEach(() => {
    ending.abort();
    jest.restoreAllMocks();
    jest.useRealTimers();
  });
  const elapse = (ms: number) => jest.advanceTimersByTimeAsync(ms);

  it('does a round at once, and then one per interval until the term ends', async () => {
    await elapse(2500);
    ending.abort();
    expect(await ended).toBe('ended');
    await elapse(5000);
    expect(duty.rounds).toBe(3);
  });

  it('goes on while the store is unreachable, and warns once per outage', async () => {
    for (let outage = 0; outage < 2; outage += 1) {
      duty.failure = new StoreUnavailableError(1);
      await elapse(10_000);
      duty.failure = undefined;
      await elapse(1000);
    }
    expect([duty.rounds, warn.mock.calls.length]).toEqual([23, 2]);
  });

  it('ends with any other failure', async () => {
    duty.failure = new Error('a mistake');
    await elapse(1000);
    expect(await ended).toBe('a mistake');
  });

  it('ends without a failure when the term is over meanwhile', async () => {
    duty.failure = new Error('cut off');
    ending.abort();
    expect(await ended).toBe('ended');
  });
});
