import { describe, expect, it } from '@jest/globals';
import { HANG_MS, runWithin } from '../../domain/test/support/run-within.js';
import { readBearerToken } from './bearer-header.js';
import { UnauthenticatedError } from './authentication.errors.js';

function rejection(authorization: string | undefined): string {
  try {
    return `accepted ${readBearerToken(authorization)}`;
  } catch (error) {
    if (error instanceof UnauthenticatedError) {
      return error.reason;
    }
    throw error;
  }
}

describe(readBearerToken.name, () => {
  it.each(['Bearer abc.DEF-1_2~+/==', 'bearer abc.DEF-1_2~+/==', 'BEARER   abc.DEF-1_2~+/==  '])(
    'reads the token of %j',
    (header) => {
      expect(readBearerToken(header)).toBe('abc.DEF-1_2~+/==');
    },
  );

  it.each([undefined, '', 'Basic YTpi', 'Token abc', 'Digest bearer abc', ' Bearer abc'])(
    'takes %j for no credentials',
    (header) => {
      expect(rejection(header)).toBe('missing');
    },
  );

  it.each([
    'Bearer',
    'Bearer ',
    'Bearer a b',
    'Bearer a, Bearer b',
    'Bearer ä',
    'Bearer a\u0000',
    'Bearerabc',
    'Bearer\tabc',
  ])('takes %j for malformed', (header) => {
    expect(rejection(header)).toBe('malformed');
  });

  it('reads a header of 8192 characters and rejects a longer one', () => {
    expect(readBearerToken(`Bearer ${'a'.repeat(8185)}`)).toHaveLength(8185);
    expect(rejection(`Bearer ${'a'.repeat(8186)}`)).toBe('malformed');
  });

  it('reads hostile headers in linear time', () => {
    const header = `Bearer ${' '.repeat(4000)}${'a'.repeat(4000)} é`;
    const rejectOften = () => Array.from({ length: 1000 }, () => rejection(header));
    expect(new Set(runWithin(HANG_MS, rejectOften))).toEqual(new Set(['malformed']));
  });
});
