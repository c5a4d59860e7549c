import { describe, expect, it } from '@jest/globals';
import { isDisputedEmail, isReservedActor } from './actor-names.js';

describe(isReservedActor.name, () => {
  it.each([
    'admin',
    'configuration',
    'programmatic',
    'anonymous',
    'token:environment',
    'client:0190a0f0',
    'federated:sync',
    'user:ann@example.com',
  ])('reserves %s', (name) => {
    expect(isReservedActor(name)).toBe(true);
  });

  it.each(['Admin', ' admin', 'TOKEN:environment', '\uff41dmin'])('reserves %j, which reads like one', (name) => {
    expect(isReservedActor(name)).toBe(true);
  });

  it.each(['ann@example.com', 'admin@example.com', 'administrator', 'token', 'auth0|user:1'])('leaves %s', (name) => {
    expect(isReservedActor(name)).toBe(false);
  });
});

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
