import { describe, expect, it } from '@jest/globals';
import { parseAdminTokenDigests, parseProxyTokenDigests } from './token-digests.js';

const A = 'a'.repeat(64);
const B = 'b'.repeat(64);

describe(parseAdminTokenDigests.name, () => {
  it('reads entries of name, digest and scope', () => {
    expect(parseAdminTokenDigests(`ann@example.com:${A}:read, ci:deploy:${B.toUpperCase()}:admin,`)).toEqual([
      { name: 'ann@example.com', digest: A, scope: 'read' },
      { name: 'ci:deploy', digest: B, scope: 'admin' },
    ]);
  });

  it('reads an empty text as no entries', () => {
    expect(parseAdminTokenDigests('')).toEqual([]);
  });

  it.each([
    A,
    `:${A}:read`,
    `ann:${A}`,
    `ann:${A}:`,
    `ann:${A}:root`,
    `ann:${A}0:read`,
    `ann:${'g'.repeat(64)}:read`,
    `a b:${A}:read`,
    'ann:',
    `${'n'.repeat(101)}:${A}:read`,
  ])('rejects %s', (text) => {
    expect(() => parseAdminTokenDigests(text)).toThrow(SyntaxError);
  });

  it('does not repeat what it rejects', () => {
    expect(() => parseAdminTokenDigests('ann:my-plain-token')).toThrow(
      "entry 1: expected <name>:<64 hexadecimal digits of the token's SHA-256>:read|operate|admin",
    );
  });
});

describe(parseProxyTokenDigests.name, () => {
  it('reads the pool, and what the ids of its proxies begin with', () => {
    expect(parseProxyTokenDigests(`all:${A}:standard,eu:${B}:premium/eu-1.`)).toEqual([
      { name: 'all', digest: A, pool: 'standard', idPrefix: '' },
      { name: 'eu', digest: B, pool: 'premium', idPrefix: 'eu-1.' },
    ]);
  });

  it.each([
    `eu:${A}`,
    `eu:${A}:`,
    `eu:${A}:Standard`,
    `eu:${A}:standard/EU`,
    `eu:${A}:standard/a/b`,
    `eu:${A}:standard/${'a'.repeat(101)}`,
  ])('rejects %s', (text) => {
    expect(() => parseProxyTokenDigests(text)).toThrow(SyntaxError);
  });
});
