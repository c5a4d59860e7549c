import { describe, expect, it } from '@jest/globals';
import { isReservedActor } from './reserved-actors.js';

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
