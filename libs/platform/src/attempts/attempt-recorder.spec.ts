import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { AttemptRecorder } from './attempt-recorder.js';

describe(AttemptRecorder.name, () => {
  let written: string[];
  let isAway: boolean;
  let recorder: AttemptRecorder<string>;

  beforeEach(() => {
    jest.useFakeTimers({ now: Date.UTC(2026, 10, 3) });
    jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    written = [];
    isAway = false;
    recorder = new AttemptRecorder<string>({
      repeated: (first, repeats) => `${first} and ${repeats} more`,
      various: (count) => `${count} others`,
      write: async (attempts) => {
        if (isAway) {
          throw new Error('away');
        }
        written.push(...attempts);
      },
    });
    recorder.start();
  });

  afterEach(async () => {
    await recorder.stop();
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  it('writes within a second', async () => {
    recorder.record('a', 'first', new Date());
    await jest.advanceTimersByTimeAsync(1000);
    expect(written).toEqual(['first']);
  });

  it('writes a flood as two attempts a minute', async () => {
    for (let attempt = 0; attempt < 10_000; attempt += 1) {
      recorder.record('a', 'first', new Date());
    }
    await jest.advanceTimersByTimeAsync(61_000);
    expect(written).toEqual(['first', 'first and 9999 more']);
  });

  it('tries again what could not be written', async () => {
    isAway = true;
    recorder.record('a', 'first', new Date());
    await jest.advanceTimersByTimeAsync(2000);
    isAway = false;
    await jest.advanceTimersByTimeAsync(1000);
    expect(written).toEqual(['first']);
  });

  it('keeps the latest 1000 that could not be written', async () => {
    isAway = true;
    for (let minute = 0; minute < 3; minute += 1) {
      for (let attempt = 0; attempt < 600; attempt += 1) {
        recorder.record(`${minute}-${attempt}`, `${minute}-${attempt}`, new Date());
      }
      await jest.advanceTimersByTimeAsync(61_000);
    }
    isAway = false;
    await jest.advanceTimersByTimeAsync(1000);
    expect([written.length, written.at(0), written.at(-1)]).toEqual([1000, '1-200', '2-599']);
  });

  it('writes what is pending at the end', async () => {
    recorder.record('a', 'first', new Date());
    recorder.record('a', 'second', new Date());
    await recorder.stop();
    expect(written).toEqual(['first', 'first and 1 more']);
  });
});
