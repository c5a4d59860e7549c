import { describe, expect, it } from '@jest/globals';
import { findBulkReferences, replaceBulkReferences } from './bulk-references.js';

describe(replaceBulkReferences.name, () => {
  const resolve = (bulkId: string): string | undefined => (bulkId === 'a' ? 'user:scim:p:1' : undefined);

  it('[RFC7644-3.7.2] replaces whole values', () => {
    const data = { members: [{ value: 'bulkId:a' }, { value: 'user:scim:p:2' }] };
    expect(replaceBulkReferences(data, resolve)).toEqual({
      members: [{ value: 'user:scim:p:1' }, { value: 'user:scim:p:2' }],
    });
  });

  it('replaces the value inside a filter path', () => {
    expect(replaceBulkReferences('members[value eq "bulkId:a"]', resolve)).toBe('members[value eq "user:scim:p:1"]');
  });

  it('leaves what cannot be resolved', () => {
    expect(replaceBulkReferences({ value: 'bulkId:b' }, resolve)).toEqual({ value: 'bulkId:b' });
  });

  it('keeps "__proto__" a property of the copy', () => {
    const data = JSON.parse('{"__proto__":{"active":true}}') as { [name: string]: never };
    const copy = replaceBulkReferences(data, resolve);
    expect(Object.hasOwn(copy, '__proto__')).toBe(true);
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
  });

  it('does not follow 100,000 nested lists', () => {
    const data = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)) as never[];
    expect(findBulkReferences(data).size).toBe(0);
  });
});
