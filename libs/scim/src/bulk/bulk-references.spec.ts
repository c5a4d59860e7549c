import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@palisade/domain';
import { findBulkReferences, replaceBulkReferences } from './bulk-references.js';

describe(replaceBulkReferences.name, () => {
  const resolve = (bulkId: string): string | undefined => (bulkId === 'a' ? 'user:scim:p:1' : undefined);

  it('[RFC7644-3.7.2] replaces whole values', () => {
    const data = { members: [{ value: 'bulkId:a' }, { value: 'user:scim:p:2' }] };
    expect(replaceBulkReferences(data, resolve)).toEqual({
      members: [{ value: 'user:scim:p:1' }, { value: 'user:scim:p:2' }],
    });
  });

  it.each([
    ['Operations', 'path'],
    ['OPERATIONS', 'Path'],
  ])('replaces the value inside a filter of a PATCH: %s, %s', (operations, path) => {
    const data = { [operations]: [{ op: 'remove', [path]: 'members[value eq "bulkId:a"]' }] };
    expect(replaceBulkReferences(data, resolve, 'patch')).toEqual({
      [operations]: [{ op: 'remove', [path]: 'members[value eq "user:scim:p:1"]' }],
    });
  });

  it('leaves what looks like a filter in any other text', () => {
    const text = 'see "bulkId:a"';
    const data: JsonObject = {
      displayName: text,
      path: text,
      Operations: [{ path: 'displayName', value: text }, { value: { path: text, Operations: [{ path: text }] } }],
    };
    expect(replaceBulkReferences(data, resolve, 'patch')).toEqual(data);
    expect(replaceBulkReferences(data, resolve)).toEqual(data);
    expect(findBulkReferences(data, 'patch')).toEqual(new Set());
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
});

describe(findBulkReferences.name, () => {
  it('finds what would be replaced', () => {
    const data = { Operations: [{ path: 'members[value eq "bulkId:a"]', value: [{ value: 'bulkId:b' }, 'bulkId:a'] }] };
    expect(findBulkReferences(data, 'patch')).toEqual(new Set(['a', 'b']));
  });

  it('reads every value once', () => {
    let reads = 0;
    const member = Object.defineProperty({}, 'value', {
      enumerable: true,
      get: () => `bulkId:${++reads}`,
    }) as JsonObject;
    expect(findBulkReferences({ members: [member] })).toEqual(new Set(['1']));
    expect(reads).toBe(1);
  });

  it('does not follow 100,000 nested lists', () => {
    const data = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)) as never[];
    expect(findBulkReferences(data).size).toBe(0);
  });
});
