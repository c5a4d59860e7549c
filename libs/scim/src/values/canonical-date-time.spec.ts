import { describe, expect, it } from '@jest/globals';
import { HANG_MS, runWithin } from '../../../domain/test/support/run-within.js';
import * as fc from 'fast-check';
import { toCanonicalDateTime } from './canonical-date-time.js';

describe(toCanonicalDateTime.name, () => {
  it.each([
    ['2011-05-13T04:42:34Z', '2011-05-13T04:42:34.000Z'],
    ['2011-05-13T04:42:34.5Z', '2011-05-13T04:42:34.500Z'],
    ['2011-05-13T04:42:34.123456789Z', '2011-05-13T04:42:34.123Z'],
    ['2011-05-13T04:42:34+02:00', '2011-05-13T02:42:34.000Z'],
    ['2011-05-13T04:42:34-05:30', '2011-05-13T10:12:34.000Z'],
    ['2011-05-13T04:42:34+14:00', '2011-05-12T14:42:34.000Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('[RFC7643-2.3.5] writes %s as %s', (text, canonical) => {
    expect(toCanonicalDateTime(text)).toBe(canonical);
  });

  it('reads a value without a time zone as UTC', () => {
    expect(toCanonicalDateTime('2011-05-13T04:42:34')).toBe('2011-05-13T04:42:34.000Z');
  });

  it('reads 24:00:00 as the start of the next day', () => {
    expect(toCanonicalDateTime('2011-12-31T24:00:00.000Z')).toBe('2012-01-01T00:00:00.000Z');
  });

  it.each([
    '',
    '2011-05-13',
    '04:42:34Z',
    '2011-05-13 04:42:34Z',
    '2011-05-13t04:42:34z',
    '2011-05-13T04:42Z',
    '2011-05-13T04:42:34.Z',
    '2011-05-13T04:42:34Z ',
    '2011-05-13T04:42:34Z\n',
    '2011-13-01T00:00:00Z',
    '2011-00-01T00:00:00Z',
    '2011-02-29T00:00:00Z',
    '2011-04-31T00:00:00Z',
    '2011-05-00T00:00:00Z',
    '2011-05-13T24:00:01Z',
    '2011-05-13T24:00:00.0001Z',
    '2011-05-13T25:00:00Z',
    '2011-05-13T04:60:00Z',
    '2011-05-13T04:42:60Z',
    '2011-05-13T04:42:34+14:01',
    '2011-05-13T04:42:34+02:60',
    '2011-05-13T04:42:34+0200',
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
    '9999-12-31T24:00:00Z',
    '12011-05-13T04:42:34Z',
    '-2011-05-13T04:42:34Z',
    '٢٠١١-05-13T04:42:34Z',
  ])('[RFC7643-2.3.5] rejects %j', (text) => {
    expect(toCanonicalDateTime(text)).toBeUndefined();
  });

  it('keeps the order of instants', () => {
    const instant = fc.date({
      min: new Date('0001-01-02T00:00:00Z'),
      max: new Date('9999-12-30T00:00:00Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(instant, instant, (a, b) => {
        const [left = '', right = ''] = [a, b].map((date) => toCanonicalDateTime(date.toISOString()));
        expect(left < right).toBe(a.getTime() < b.getTime());
      }),
    );
  });

  it('stays quick on a long text', () => {
    const text = `2011-05-13T04:42:34.${'9'.repeat(1_000_000)}`;
    expect(runWithin(HANG_MS, () => toCanonicalDateTime(text))).toBeDefined();
  });
});
