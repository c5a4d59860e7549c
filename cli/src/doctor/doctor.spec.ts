import { describe, expect, it } from '@jest/globals';
import { examineTokenClaims } from './examine-service.js';
import { findUnfinished } from './examine-control-plane.js';

describe(findUnfinished.name, () => {
  it.each([
    [{ names: [{ name: 'a.example.com', state: 'applied' }] }, undefined],
    [
      { names: [{ name: 'a.example.com', state: 'pending', error: 'REFUSED' }] },
      'names: a.example.com is pending: REFUSED',
    ],
    [{ pods: { state: 'failing', error: 'ECONNREFUSED' } }, 'pods: failing: ECONNREFUSED'],
    [{ last: { result: 'rejected', reason: 'bad line' } }, 'last: rejected: bad line'],
    [null, undefined],
  ])('reads %j', (detail, text) => {
    expect(findUnfinished(detail, 8)).toBe(text);
  });

  it('looks no deeper than it is told', () => {
    expect(findUnfinished({ a: { b: { state: 'pending' } } }, 2)).toBeUndefined();
  });
});

describe(examineTokenClaims.name, () => {
  const jwt = (claims: object): string => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.x`;

  it.each([
    ['an opaque token', 'secret', 'ok'],
    ['a JWT with a scope', jwt({ scope: 'openid read', exp: 2 }), 'ok'],
    ['a JWT with scopes in scp', jwt({ scp: ['admin'] }), 'ok'],
    ['a JWT without one', jwt({ scope: 'openid' }), 'problem'],
    ['a JWT that has ended', jwt({ scope: 'read', exp: 1 }), 'problem'],
    ['what only looks like a JWT', 'a.b.c', 'ok'],
  ])('judges %s', (_, token, level) => {
    expect(examineTokenClaims(token, 1500).map((finding) => finding.level)).toEqual([level]);
  });
});
