import { describe, expect, it } from '@jest/globals';
import { HANG_MS, runWithin } from '../../../domain/test/support/run-within.js';
import type { AttributeDefinition } from '@palisade/domain';
import { EXTERNAL_ID } from '../schema/common-attributes.js';
import { defineAttribute } from '../schema/define-attribute.js';
import { readPrimitive } from './read-primitive.js';

function read(overrides: Partial<AttributeDefinition>, value: unknown): unknown {
  return readPrimitive(defineAttribute({ name: 'x', description: '', ...overrides }), value, 'x');
}

describe(readPrimitive.name, () => {
  it.each([
    [true, true],
    [false, false],
    ['True', true],
    ['false', false],
    ['FALSE', false],
  ])('[RFC7643-2.3.2] reads the boolean %j as %j', (value, expected) => {
    expect(read({ type: 'boolean' }, value)).toBe(expected);
  });

  it.each(['yes', '', ' true', 0, 1, {}, []])('[RFC7643-2.3.2] rejects %j as a boolean', (value) => {
    expect(() => read({ type: 'boolean' }, value)).toThrow('x: expected true or false');
  });

  it.each([0, -5, Number.MAX_SAFE_INTEGER])('[RFC7643-2.3.4] accepts the integer %j', (value) => {
    expect(read({ type: 'integer' }, value)).toBe(value);
  });

  it.each([1.5, 2 ** 53, Infinity, NaN, '1', true])('[RFC7643-2.3.4] rejects %j as an integer', (value) => {
    expect(() => read({ type: 'integer' }, value)).toThrow('x: expected an integer');
  });

  it('[RFC7643-2.3.3] accepts decimals', () => {
    expect(read({ type: 'decimal' }, 1.25)).toBe(1.25);
  });

  it.each([JSON.parse('1e999'), '1.5', null])('[RFC7643-2.3.3] rejects %j as a decimal', (value) => {
    expect(() => read({ type: 'decimal' }, value)).toThrow('x: expected a number');
  });

  it('[RFC7643-2.3.5] keeps a date and time as it was given', () => {
    expect(read({ type: 'dateTime' }, '2026-01-31T08:30:00.5+01:00')).toBe('2026-01-31T08:30:00.5+01:00');
  });

  it.each(['2026-01-31', 'yesterday', '', 1_767_000_000])('[RFC7643-2.3.5] rejects %j as a date and time', (value) => {
    expect(() => read({ type: 'dateTime' }, value)).toThrow('x: expected a date and time');
  });

  it.each(['', 'TWFu', 'TWE=', 'TWE', 'TQ==', 'TQ', '-_-_', '+/+/'])(
    '[RFC7643-2.3.6] accepts %j as base64',
    (value) => {
      expect(read({ type: 'binary' }, value)).toBe(value);
    },
  );

  it.each(['T', '=', '====', 'TWFuT', 'TW=E', 'TWE==', 'TWFu=', '+/-_', 'TW Fu', 'TWFu\n', 'é', 5])(
    '[RFC7643-2.3.6] rejects %j as base64',
    (value) => {
      expect(() => read({ type: 'binary' }, value)).toThrow('x: expected base64');
    },
  );

  it('rejects what only looks like padding in linear time', () => {
    const padding = `${'='.repeat(65_000)}x`;
    const rejectOften = (): void => {
      for (let round = 0; round < 20; round++) {
        expect(() => read({ type: 'binary' }, padding)).toThrow('x: expected base64');
      }
    };

    runWithin(HANG_MS, rejectOften);
  });

  it('[RFC7643-2.3.7] accepts relative and absolute references', () => {
    expect(read({ type: 'reference' }, 'Users/1')).toBe('Users/1');
    expect(read({ type: 'reference' }, 'https://x.example/1')).toBe('https://x.example/1');
  });

  it.each([5, true, {}, []])('[RFC7643-2.3.1] rejects %j as a string', (value) => {
    expect(() => read({}, value)).toThrow('x: expected a string');
  });

  it.each(['', ' a ', 'Ünï\tcode 😀', 'a\nb'])('[RFC7643-2.3.1] keeps the text %j as it is', (value) => {
    expect(read({}, value)).toBe(value);
  });

  it.each(['a\0b', '\ud800', 'a\udc00b', '\udc00\ud800'])('rejects %j, which a database cannot hold', (value) => {
    expect(() => read({}, value)).toThrow('x: expected well-formed Unicode without U+0000');
    expect(() => read({ type: 'reference' }, value)).toThrow('well-formed');
  });

  it('accepts 65536 characters and rejects more', () => {
    expect(read({}, 'x'.repeat(65_536))).toHaveLength(65_536);
    expect(() => read({}, 'x'.repeat(65_537))).toThrow('x: expected at most 65536 characters, found 65537');
  });

  it.each([{ uniqueness: 'server' as const }, { name: 'displayName' }])(
    'rejects more than 255 characters where a store has an index (%j)',
    (overrides) => {
      expect(read(overrides, 'x'.repeat(255))).toHaveLength(255);
      expect(() => read(overrides, 'x'.repeat(256))).toThrow('expected at most 255 characters, found 256');
    },
  );

  it.each(['', 'a\nb', 'a\x7f', '\ud800', 'x'.repeat(256)])('rejects %j as an externalId', (value) => {
    expect(() => readPrimitive(EXTERNAL_ID, value, 'externalId')).toThrow('externalId: expected 1 to 255 characters');
  });

  it('shows nothing of a value that is never returned', () => {
    const secret = { returned: 'never' as const };

    expect(() => read(secret, 's3cret\0')).toThrow('found "…"');
  });

  it('rejects a complex attribute', () => {
    expect(() => read({ type: 'complex' }, 'a')).toThrow('x: expected a simple value');
  });
});
