import { describe, expect, it } from '@jest/globals';
import { examineTokenClaims } from './examine-service.js';
import { examinePolicies, findUnfinished } from './examine-control-plane.js';

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

describe(examinePolicies.name, () => {
  const place = {
    host: '10.0.0.7',
    port: 1,
    weight: 1,
    source: 'registration',
    health: 'healthy',
    draining: false,
  } as const;
  const proxy = (id: string, state: 'current' | 'behind' | 'rejected', reason?: string) => ({
    ...place,
    id,
    policy: {
      state,
      revision: 3,
      wanted_revision: 4,
      behind: 1,
      source: 'stream' as const,
      age_seconds: 0,
      ...(reason !== undefined && { rejected: { revision: 4, reason } }),
    },
  });
  const found = (...proxies: Parameters<typeof examinePolicies>[0][number]['proxies']) =>
    examinePolicies([{ name: 'standard', proxies }]).map(({ level, text }) => [level, text]);

  it('tells where a policy is rejected, late or in force', () => {
    expect(found({ ...place, id: 'foreign' })).toEqual([]);
    expect(found(proxy('a', 'current'), { ...place, id: 'foreign' })).toEqual([['ok', 'in force at 1 proxies']]);
    expect(found(proxy('a', 'current'), proxy('b', 'behind'))).toEqual([
      ['warning', 'not in force everywhere: b (behind, 1 revisions behind)'],
    ]);
    expect(found(proxy('b', 'behind'), proxy('c', 'rejected', 'no driver for kafka'))).toEqual([
      ['problem', 'c enforces revision 3, as it cannot enforce 4: no driver for kafka'],
    ]);
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
