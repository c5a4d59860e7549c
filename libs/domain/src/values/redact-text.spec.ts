import { describe, expect, it } from '@jest/globals';
import { redactText } from './redact-text.js';

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
