import { describe, expect, it } from '@jest/globals';
import { PREMIUM, STANDARD } from '../../test/support/routing-settings.js';
import { TouchedTenants } from './touched-tenants.js';

describe(TouchedTenants.name, () => {
  it('remembers what has changed in a pool after a revision', () => {
    const touched = new TouchedTenants();
    touched.reset(5);
    touched.add(6, new Map([[STANDARD, ['a', 'b']]]));
    touched.add(9, new Map([[PREMIUM, ['c']]]));
    touched.add(10, new Map([[STANDARD, ['b', 'd']]]));
    expect([...(touched.since(5, STANDARD) ?? [])].sort()).toEqual(['a', 'b', 'd']);
    expect([...(touched.since(7, STANDARD) ?? [])].sort()).toEqual(['b', 'd']);
    expect([...(touched.since(10, STANDARD) ?? [])]).toEqual([]);
    expect(touched.since(4, STANDARD)).toBeUndefined();
  });

  it('forgets the oldest when there is too much', () => {
    const touched = new TouchedTenants();
    for (let revision = 1; revision <= 10_002; revision += 1) {
      touched.add(revision, new Map());
    }
    expect([touched.since(1, STANDARD), touched.since(2, STANDARD)]).toEqual([undefined, new Set()]);
    touched.add(10_003, new Map([[STANDARD, Array.from({ length: 50_001 }, (_, n) => String(n))]]));
    expect([touched.since(10_002, STANDARD), touched.since(10_003, STANDARD)]).toEqual([undefined, new Set()]);
  });
});
