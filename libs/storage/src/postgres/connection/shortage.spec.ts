import { beforeEach, describe, expect, it } from '@jest/globals';
import { DatabaseError } from 'pg';
import { Shortage } from './shortage.js';

function errorWith(code: string): DatabaseError {
  return Object.assign(new DatabaseError('could not extend file', 0, 'error'), { code });
}

describe(Shortage.name, () => {
  let now: number;
  let shortage: Shortage;
  beforeEach(() => {
    now = 1_000_000;
    shortage = new Shortage(() => now);
  });

  it.each(['53100', '53200'])('begins with the first error %s and ends a minute after the last', (code) => {
    shortage.note(errorWith(code));
    now += 59_000;
    shortage.note(errorWith(code));
    now += 59_999;
    expect(shortage.since()).toEqual(new Date(1_000_000));
    now += 1;
    expect(shortage.since()).toBeUndefined();
    shortage.note(errorWith(code));
    expect(shortage.since()).toEqual(new Date(now));
  });

  it.each([errorWith('53300'), errorWith('23505'), new Error('53100')])('is not what %s tells', (error) => {
    shortage.note(error);
    expect(shortage.since()).toBeUndefined();
  });
});
