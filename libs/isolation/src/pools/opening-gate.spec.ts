import { describe, expect, it } from '@jest/globals';
import { OpeningGate } from './opening-gate.js';

const ERROR = new Error('connection refused');

function createGate({ random = () => 0 }: { readonly random?: () => number } = {}) {
  return new OpeningGate({ maxOpening: 8, initialBackoffMs: 100, maxBackoffMs: 1000, random });
}

describe(OpeningGate.name, () => {
  it('permits as many openings at once as are normal', () => {
    const gate = createGate();
    expect([gate.permits(0, 7), gate.permits(0, 8)]).toEqual([true, false]);
  });

  it('permits nothing in the pause after a failure, then one attempt', () => {
    const gate = createGate();
    gate.fail(0, 10, ERROR);
    expect([gate.permits(109, 0), gate.permits(110, 0), gate.permits(110, 1)]).toEqual([false, true, false]);
  });

  it('doubles the pause with each further failure, up to the longest', () => {
    const gate = createGate();
    const pauses: number[] = [];
    for (let nowMs = 1; pauses.length < 6; nowMs += 10_000) {
      gate.fail(nowMs, nowMs, ERROR);
      pauses.push(gate.retryInMs(nowMs));
    }
    expect(pauses).toEqual([100, 200, 400, 800, 1000, 1000]);
  });

  it('shortens the pause at random, by half at most', () => {
    const gate = createGate({ random: () => 1 });
    gate.fail(0, 0, ERROR);
    expect(gate.retryInMs(0)).toBe(50);
  });

  it('counts attempts that were begun before the last failure as part of it', () => {
    const gate = createGate();
    gate.fail(0, 10, ERROR);
    gate.fail(5, 12, ERROR);
    expect([gate.failures, gate.retryInMs(12)]).toEqual([1, 98]);
  });

  it('calls it an outage when the attempt after the first pause has failed, until the next', () => {
    const gate = createGate();
    gate.fail(0, 0, ERROR);
    const first = gate.isOutage(50);
    gate.fail(100, 101, ERROR);
    expect([first, gate.isOutage(102), gate.isOutage(301)]).toEqual([false, true, false]);
  });

  it('permits one more at once with each success, up to the normal number', () => {
    const gate = createGate();
    gate.fail(0, 0, ERROR);
    const allowances: number[] = [];
    for (let round = 0; round < 9; round++) {
      allowances.push(Array.from({ length: 10 }, (_, opening) => gate.permits(100, opening)).filter(Boolean).length);
      gate.succeed();
    }
    expect(allowances).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 8]);
  });

  it('fails again after a success, however old the attempt', () => {
    const gate = createGate();
    gate.fail(0, 10, ERROR);
    gate.succeed();
    gate.fail(5, 20, ERROR);
    expect(gate.failures).toBe(1);
  });
});
