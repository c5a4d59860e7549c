import { describe, expect, it } from '@jest/globals';
import { combine, type Policy } from './policy-probe.js';

const READ = { command: 'r', isCheck: false };
const WRITE = { command: 'w', isCheck: true };

function policy(override: Partial<Policy>): Policy {
  return { command: '*', isPermissive: true, using: 'u', check: null, ...override };
}

describe(combine.name, () => {
  it('lets nothing through without a permissive policy', () => {
    expect(combine([policy({ isPermissive: false })], READ)).toBe('((false) and coalesce((u), false))');
  });

  it('wants one permissive policy and every restrictive one', () => {
    const policies = ['a', 'b'].flatMap((using) => [
      policy({ using }),
      policy({ using: using + using, isPermissive: false }),
    ]);
    expect(combine(policies, READ)).toBe(
      '((false or coalesce((a), false) or coalesce((b), false)) and coalesce((aa), false) and coalesce((bb), false))',
    );
  });

  it('leaves out policies for other commands', () => {
    expect(combine([policy({ command: 'r', using: 'a' }), policy({ command: 'd', using: 'b' })], READ)).toBe(
      '((false or coalesce((a), false)))',
    );
  });

  it('checks what is written by what the policy has for that, else by what it has for reading', () => {
    expect(combine([policy({ using: 'a', check: 'c' }), policy({ using: 'b' })], WRITE)).toBe(
      '((false or coalesce((c), false) or coalesce((b), false)))',
    );
  });
});
