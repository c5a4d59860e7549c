import { describe, expect, it } from '@jest/globals';
import { COMMAND_RULES, digestOf, findDrift, readAclUser, userRules } from './acl-user.js';

const EXPECTED = { prefix: 'tenant:acme:', commands: ['-@all', '+get'], digest: digestOf('secret') };

function reply(overrides: Record<string, unknown> = {}): Map<string, unknown> {
  return new Map(
    Object.entries({
      flags: ['on'],
      passwords: [digestOf('secret')],
      commands: '-@all +get',
      keys: '~tenant:acme:*',
      channels: '&tenant:acme:*',
      selectors: [],
      ...overrides,
    }),
  );
}

describe(readAclUser.name, () => {
  it('reads what Redis 7 says', () => {
    expect(readAclUser(reply())).toEqual({
      flags: ['on'],
      passwords: [digestOf('secret')],
      commands: ['-@all', '+get'],
      keys: ['~tenant:acme:*'],
      channels: ['&tenant:acme:*'],
      selectors: 0,
    });
  });

  it('reads what Redis 6 says', () => {
    const six = reply({ keys: ['tenant:acme:*'], channels: ['tenant:acme:*'], selectors: undefined });
    expect(readAclUser(six)).toEqual(readAclUser(reply()));
  });

  it('knows when there is no such user', () => {
    expect(readAclUser(null)).toBeUndefined();
  });
});

describe(findDrift.name, () => {
  it.each([
    [{}, []],
    [{ flags: ['on', 'sanitize-payload'] }, []],
    [{ flags: ['off'] }, ['it is off']],
    [
      { flags: ['on', 'nopass'], passwords: [] },
      ['it has the flag nopass', 'it has no password', 'it has other passwords'],
    ],
    [{ keys: '~*' }, ['its keys lack ~tenant:acme:*', 'its keys have ~* too']],
    [{ channels: '' }, ['its channels lack &tenant:acme:*']],
    [{ commands: '+@all' }, ['its commands lack -@all +get', 'its commands have +@all too']],
    [{ selectors: [['commands', '+get']] }, ['it has selectors']],
  ])('finds in %j: %j', (overrides, expected) => {
    const user = readAclUser(reply(overrides));
    expect(user && findDrift(user, EXPECTED)).toEqual(expected);
  });
});

describe(userRules.name, () => {
  it('forgets what the user was, and never says a password', () => {
    const rules = userRules('tenant:acme:', [digestOf('secret')]);
    expect(rules.slice(0, 6)).toEqual([
      'reset',
      'on',
      `#${digestOf('secret')}`,
      '~tenant:acme:*',
      'resetchannels',
      '&tenant:acme:*',
    ]);
    expect(rules.slice(6)).toEqual(COMMAND_RULES);
  });

  it('allows no categories, and nothing that looks at what is not the tenant’s', () => {
    expect(COMMAND_RULES[0]).toBe('-@all');
    const allowed = COMMAND_RULES.slice(1);
    expect(allowed.filter((rule) => !/^\+[a-z]+$/.test(rule))).toEqual([]);
    const leaky = new Set([
      'scan',
      'keys',
      'randomkey',
      'dbsize',
      'select',
      'move',
      'copy',
      'client',
      'pubsub',
      'eval',
      'sort',
    ]);
    expect(allowed.filter((rule) => leaky.has(rule.slice(1)))).toEqual([]);
  });
});
