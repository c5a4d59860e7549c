import { describe, expect, it } from '@jest/globals';
import { redact } from './redact.js';

describe(redact.name, () => {
  it.each(['authorization', 'access_token', 'clientSecret', 'Set-Cookie', 'PASSWORD', 'private_key', 'x-api-key'])(
    'hides what stands under %s',
    (name) => {
      expect(redact({ deep: [{ [name]: 'hush' }] })).toEqual({ deep: [{ [name]: '[redacted]' }] });
    },
  );

  it('shows the identifier of a token', () => {
    expect(redact({ token_id: 't-1' })).toEqual({ token_id: 't-1' });
  });

  it('shows type, code, message and causes of an error, and none of its other properties', () => {
    const cause = Object.assign(new Error('postgres://app:hush@db failed'), { code: '23505', detail: 'Key (x)=(y)' });
    expect(redact(new TypeError('outer', { cause }))).toEqual({
      type: 'TypeError',
      message: 'outer',
      stack: expect.any(String),
      cause: {
        type: 'Error',
        code: '23505',
        message: 'postgres://app:[redacted]@db failed',
        stack: expect.any(String),
      },
    });
  });

  it('ends where a value contains itself', () => {
    const cyclic: Record<string, unknown> = {};
    cyclic.self = cyclic;
    expect(JSON.stringify(redact(cyclic))).toContain('[…]');
  });

  it('keeps 100 entries', () => {
    expect(redact(Array.from({ length: 1000 }, () => 1))).toHaveLength(100);
  });
});
