import { describe, expect, it } from '@jest/globals';
import type { ProxyHealth } from '@palisade/domain';
import { HealthJudge } from './health-judge.js';

const MINUTE_MS = 60_000;

function createJudge(health: ProxyHealth) {
  const judge = new HealthJudge({ rise: 2, fall: 3 }, health);
  return (answers: string, at = 0) => [...answers].map((answer) => judge.judge(answer === '+', at)).at(-1);
}

describe(HealthJudge.name, () => {
  it.each([
    ['healthy', '--', 'healthy'],
    ['healthy', '---', 'unhealthy'],
    ['healthy', '--+--', 'healthy'],
    ['unhealthy', '+', 'unhealthy'],
    ['unhealthy', '++', 'healthy'],
    ['unhealthy', '+-+', 'unhealthy'],
    ['unknown', '+', 'healthy'],
    ['unknown', '--', 'unknown'],
    ['unknown', '---', 'unhealthy'],
  ] as const)('makes of a proxy that is %s, after %s, one that is %s', (before, answers, after) => {
    expect(createJudge(before)(answers)).toBe(after);
  });

  it('demands twice as many good answers after each fall but the first', () => {
    const judge = createJudge('healthy');
    expect([judge('---++'), judge('---+++'), judge('+'), judge('---+++++++'), judge('+')]).toEqual([
      'healthy',
      'unhealthy',
      'healthy',
      'unhealthy',
      'healthy',
    ]);
  });

  it('never demands more than 16 times as many', () => {
    const judge = new HealthJudge({ rise: 2, fall: 1 }, 'healthy');
    for (let falls = 0; falls < 20; falls++) {
      judge.judge(false, 0);
      for (let answers = 0; answers < 32; answers++) {
        judge.judge(true, 0);
      }
    }
    expect(judge.neededRise(0)).toBe(32);
  });

  it('forgets falls after ten minutes', () => {
    const judge = createJudge('healthy');
    judge('---++---++++---');
    expect(judge('++', 10 * MINUTE_MS)).toBe('healthy');
  });
});
