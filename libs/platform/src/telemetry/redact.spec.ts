import { describe, expect, it } from '@jest/globals';
import { redact, redactText } from './redact.js';

describe(redactText.name, () => {
  it('hides the credentials of an Authorization value', () => {
    expect(redactText('sent "Bearer abc.def-123=" and basic dXNlcg==')).toBe(
      'sent "Bearer [redacted]" and basic [redacted]',
    );
  });

  it('hides the password in a URL', () => {
    expect(redactText('postgres://app:hush@db:5432/x')).toBe('postgres://app:[redacted]@db:5432/x');
  });

  it('keeps 8192 characters', () => {
    expect(redactText('x'.repeat(10_000))).toHaveLength(8192);
  });
});

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
