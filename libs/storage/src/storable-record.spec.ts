import { describe, expect, it } from '@jest/globals';
import type { LogRecord } from '@palisade/domain';
import { storableRecord } from './storable-record.js';

const MINIMAL: LogRecord = {
  timestamp: new Date('2026-11-20T08:30:00.005Z'),
  userId: 'ann@example.com',
  action: 'tenant.register',
  resource: 'tenant:acme',
  result: 'success',
};

describe(storableRecord.name, () => {
  it('changes nothing that can be kept', () => {
    const record = { ...MINIMAL, detail: { a: 1, b: 'x', c: true, d: null } };

    expect(storableRecord(record)).toEqual(record);
  });

  it('does not share dates or details with the caller', () => {
    const timestamp = new Date(MINIMAL.timestamp);
    const detail = { a: 1 };
    const kept = storableRecord({ ...MINIMAL, timestamp, detail });

    timestamp.setTime(0);
    detail.a = 2;

    expect(kept).toEqual({ ...MINIMAL, detail: { a: 1 } });
  });

  it('cuts texts without leaving half a character', () => {
    const { resource } = storableRecord({ ...MINIMAL, resource: `${'x'.repeat(511)}\u{1f600}` });

    expect(resource).toBe(`${'x'.repeat(511)}\ufffd`);
  });

  it('keeps a property of the detail that is called like the prototype', () => {
    const detail = JSON.parse('{"__proto__":"x"}');

    const kept = storableRecord({ ...MINIMAL, detail });

    expect(JSON.stringify(kept.detail)).toBe('{"__proto__":"x"}');
  });

  it('replaces what cannot be kept in nested values, too', () => {
    const { detail } = storableRecord({ ...MINIMAL, detail: { list: ['a\0', { 'k\ud800': [Number.NaN] }] } });

    expect(detail).toStrictEqual({ list: ['a\ufffd', { 'k\ufffd': [null] }] });
  });

  it('has a number for minus zero and null for what JSON cannot say', () => {
    const { detail } = storableRecord({ ...MINIMAL, detail: { zero: -0, none: Number.NaN, all: Infinity } });

    expect(detail).toStrictEqual({ zero: 0, none: null, all: null });
  });
});
