import { describe, expect, it } from '@jest/globals';
import { VirtualClock } from '../../test/support/virtual-clock.js';
import { Alarm } from './alarm.js';

function createAlarm() {
  const clock = new VirtualClock();
  const alarms: number[] = [];
  const alarm = new Alarm(clock, () => alarms.push(clock.now()));
  return { clock, alarms, set: (delayMs: number) => alarm.set(clock.now(), delayMs), alarm };
}

describe(Alarm.name, () => {
  it('goes off once, at the earliest moment that it was set to', async () => {
    const { clock, alarms, set } = createAlarm();
    for (const delayMs of [100, 50, 80]) {
      set(delayMs);
    }
    await clock.advance(200);
    expect(alarms).toEqual([50]);
  });

  it('goes off again when it is set again', async () => {
    const { clock, alarms, set } = createAlarm();
    set(50);
    await clock.advance(60);
    set(50);
    await clock.advance(60);
    expect(alarms).toEqual([50, 110]);
  });

  it('does not go off when it was cancelled', async () => {
    const { clock, alarms, alarm, set } = createAlarm();
    set(50);
    alarm.cancel();
    await clock.advance(100);
    expect([alarms, clock.timers]).toEqual([[], 0]);
  });
});
