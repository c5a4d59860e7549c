import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { ScimError } from '../scim.errors.js';
import { formatCursor, parseCursor, queryFingerprint } from './cursor.js';

const fingerprint = queryFingerprint(['User', 'active eq true', undefined, undefined]);

function rejection(text: string, expected = fingerprint): string | undefined {
  try {
    parseCursor(text, expected);
  } catch (error) {
    return error instanceof ScimError ? error.scimType : 'other';
  }
  return undefined;
}

describe(parseCursor.name, () => {
  it('reads what formatCursor wrote', () => {
    const sortValues = fc.oneof(fc.string({ unit: 'grapheme' }), fc.integer(), fc.boolean(), fc.constant(null));
    fc.assert(
      fc.property(fc.nat(), fc.option(sortValues, { nil: undefined }), (sequence, sortValue) => {
        fc.pre(typeof sortValue !== 'string' || !sortValue.includes('\0'));
        const position = sortValue === undefined ? { sequence } : { sequence, sortValue };
        const types = new Set(sortValue === undefined ? [] : (['string', 'integer', 'boolean'] as const));
        expect(parseCursor(formatCursor(position, fingerprint), fingerprint, types)).toEqual(position);
      }),
    );
  });

  it('[RFC9865-2] writes unreserved characters only', () => {
    expect(formatCursor({ sequence: 7, sortValue: 'é/+?&' }, fingerprint)).toMatch(/^[A-Za-z0-9\-._~]+$/);
  });

  it('[RFC9865-2.1] rejects a cursor of another query as invalidCursor', () => {
    const cursor = formatCursor({ sequence: 7 }, fingerprint);
    expect(rejection(cursor, queryFingerprint(['User', 'active eq false', undefined, undefined]))).toBe(
      'invalidCursor',
    );
  });

  it('rejects any other text as invalidCursor', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), (text) => {
        expect(rejection(text)).toBe('invalidCursor');
      }),
    );
  });

  it.each([
    ['a sort value that no store can hold', '[1,"\\u0000"]'],
    ['a sort value that is no scalar', '[1,{}]'],
    ['a fractional sequence', '[1.5]'],
    ['too many fields', '[1,2,3]'],
    ['no fields', '[]'],
  ])('rejects %s', (_name, fields) => {
    expect(rejection(fingerprint + Buffer.from(fields).toString('base64url'))).toBe('invalidCursor');
  });

  it.each([
    ['a number for a text', 'string', 5],
    ['a text for a number', 'integer', '5'],
    ['a text that is no instant', 'dateTime', 'soon'],
    ['an instant that no store can hold', 'dateTime', '-200000-01-01T00:00:00.000Z'],
    ['an instant in another form', 'dateTime', '2026-01-01T00:00:00Z'],
    ['a boolean for an instant', 'dateTime', true],
  ] as const)('rejects %s as a sort value', (_name, type, sortValue) => {
    const cursor = formatCursor({ sequence: 1, sortValue }, fingerprint);
    expect(() => parseCursor(cursor, fingerprint, new Set([type]))).toThrow(ScimError);
  });

  it('rejects a sort value without sorting, and none with it', () => {
    const text = new Set(['string'] as const);
    expect(() => parseCursor(formatCursor({ sequence: 1, sortValue: 'a' }, fingerprint), fingerprint)).toThrow(
      ScimError,
    );
    expect(() => parseCursor(formatCursor({ sequence: 1 }, fingerprint), fingerprint, text)).toThrow(ScimError);
  });

  it('rejects an over-long text', () => {
    expect(rejection(fingerprint + 'A'.repeat(5000))).toBe('invalidCursor');
  });
});
