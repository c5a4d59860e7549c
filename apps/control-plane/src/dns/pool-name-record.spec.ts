import { describe, expect, it } from '@jest/globals';
import { PoolNameRecord } from './pool-name-record.js';

const ADDRESSES = ['10.0.0.1'];
const OTHERS = ['10.0.0.2'];

/** Applied at 1970-01-01T00:00:00Z. */
function createApplied(): PoolNameRecord {
  const record = new PoolNameRecord('standard.example.com');
  record.want(ADDRESSES, 0);
  record.succeeded(ADDRESSES, 0);
  return record;
}

describe(PoolNameRecord.name, () => {
  it('waits twice as long after each failure, up to a minute, and at most five minutes after a success', () => {
    const record = createApplied();
    const waits = Array.from({ length: 8 }, (_, failures) => {
      record.failed('no answer', failures);
      return [0, 1000, 2000, 4000, 8000, 16_000, 32_000, 60_000].findLast(
        (ms) => record.due(failures + ms - 1) === undefined,
      );
    });
    expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
    record.succeeded(ADDRESSES, 0);
    expect([record.due(299_999), record.due(300_000)]).toEqual([undefined, ADDRESSES]);
  });

  it('is applied again as soon as a name that could not be resolved can be, with the same addresses', () => {
    const record = createApplied();
    record.unresolved('ENOTFOUND proxy-1');
    expect(record.status).toMatchObject({ state: 'pending', error: 'ENOTFOUND proxy-1' });
    record.want(ADDRESSES, 1000);
    expect(record.status).toEqual({
      name: 'standard.example.com',
      state: 'applied',
      addresses: ADDRESSES,
      applied_at: '1970-01-01T00:00:00.000Z',
    });
  });

  it('names no time of a next attempt while names cannot be resolved, as nothing is attempted', () => {
    const record = new PoolNameRecord('standard.example.com');
    record.unresolved('ENOTFOUND proxy-1');
    expect(record.due(0)).toBeUndefined();
    expect(record.status).toEqual({
      name: 'standard.example.com',
      state: 'pending',
      addresses: [],
      error: 'ENOTFOUND proxy-1',
    });
  });

  it('still says why the last update failed after its names could not be resolved for a while', () => {
    const record = createApplied();
    record.want(OTHERS, 0);
    record.failed('REFUSED', 0);
    record.unresolved('ENOTFOUND proxy-1');
    record.want(OTHERS, 500);
    expect(record.status).toMatchObject({
      state: 'pending',
      error: 'REFUSED',
      next_attempt_at: '1970-01-01T00:00:01.000Z',
    });
  });
});
