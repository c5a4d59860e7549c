import { describe, expect, it } from '@jest/globals';
import { parseAdminTokenDigests } from './admin-token-digest.js';

const A = 'a'.repeat(64);
const B = 'b'.repeat(64);

describe(parseAdminTokenDigests.name, () => {
  it('reads pairs of name and digest', () => {
    expect(parseAdminTokenDigests(`ann@example.com:${A}, ci:deploy:${B.toUpperCase()},`)).toEqual([
      { name: 'ann@example.com', digest: A },
      { name: 'ci:deploy', digest: B },
    ]);
  });

  it('reads an empty text as no pairs', () => {
    expect(parseAdminTokenDigests('')).toEqual([]);
  });

  it.each([A, `:${A}`, `ann:${A}0`, `ann:${'g'.repeat(64)}`, `a b:${A}`, 'ann:', `${'n'.repeat(101)}:${A}`])(
    'refuses %s',
    (text) => {
      expect(() => parseAdminTokenDigests(text)).toThrow(SyntaxError);
    },
  );

  it('does not repeat what it refuses', () => {
    expect(() => parseAdminTokenDigests('ann:my-plain-token')).toThrow(
      "pair 1: expected <name>:<64 hexadecimal digits of the token's SHA-256>",
    );
  });
});
