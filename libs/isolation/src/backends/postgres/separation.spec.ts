import { describe, expect, it } from '@jest/globals';
import { parseTenantId } from '@palisade/domain';
import { roleOf } from './separation.js';

describe(roleOf.name, () => {
  it('puts the prefix before the namespace', () => {
    expect(roleOf(parseTenantId('acme'))).toBe('tenant_acme');
    expect(roleOf(parseTenantId('acme'), 'eu.')).toBe('eu.acme');
  });

  it('wants a prefix, because a namespace may have the name of any role', () => {
    expect(() => roleOf(parseTenantId('postgres'), '')).toThrow('rolePrefix: expected one');
  });

  it('makes no name that the server would cut off, so that two become one', () => {
    const [first, second] = ['a', 'b'].map((end) => parseTenantId('x'.repeat(62) + end));
    for (const namespace of [first, second]) {
      expect(() => namespace && roleOf(namespace)).toThrow('at most 63 bytes');
    }
    expect(roleOf(parseTenantId('x'.repeat(56)))).toHaveLength(63);
  });
});
