import { describe, expect, it } from '@jest/globals';
import { isDisputedEmail } from './disputed-email.js';

describe(isDisputedEmail.name, () => {
  it.each([false, 'false', 'no', '', null, 0, 1, {}])('holds for an address with email_verified %j', (verified) => {
    expect(isDisputedEmail({ email_verified: verified }, 'email')).toBe(true);
  });

  it.each([true, 'true'])('does not hold for one with email_verified %j', (verified) => {
    expect(isDisputedEmail({ email_verified: verified }, 'email')).toBe(false);
  });

  it('does not hold where the issuer does not say', () => {
    expect(isDisputedEmail({}, 'email')).toBe(false);
  });

  it('concerns no other claim', () => {
    expect(isDisputedEmail({ email_verified: false }, 'upn')).toBe(false);
  });
});
