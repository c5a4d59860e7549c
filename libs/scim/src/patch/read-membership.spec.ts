import { describe, expect, it } from '@jest/globals';
import type { MembershipChange } from '@palisade/domain';
import { createResourceSchema } from '../schema/create-resource-schema.js';
import { applyPatch } from './apply-patch.js';
import { parsePatch } from './parse-patch.js';
import { readMembership } from './read-membership.js';

const SCHEMA = createResourceSchema('Group');
const U1 = 'user:scim:p:u1';
const U2 = 'user:scim:p:u2';
const G1 = 'group:scim:p:g1';

function changes(...operations: readonly object[]): readonly MembershipChange[] {
  const parsed = parsePatch({ Operations: operations }, SCHEMA, 'rfc');
  return applyPatch({ attributes: { displayName: 'Engineers' } }, parsed, SCHEMA, 'rfc').members;
}

describe(readMembership.name, () => {
  it.each([
    ['a list', [{ value: U1 }, { value: G1 }], [U1, G1]],
    ['a list with derived sub-attributes', [{ $ref: null, value: U1, display: 'Ada', type: 'User' }], [U1]],
    ['a lone object', { value: U1 }, [U1]],
    ['a bare id', U1, [U1]],
    ['a list of bare ids', [U1, U2], [U1, U2]],
    ['the same member twice', [{ value: U1 }, { VALUE: U1 }], [U1]],
  ])('adds members given as %s', (_, value, ids) => {
    expect(changes({ op: 'add', path: 'members', value })).toEqual([{ kind: 'add', ids }]);
  });

  it.each(['members', 'Members', 'urn:ietf:params:scim:schemas:core:2.0:Group:members'])(
    'knows the path %s',
    (path) => {
      expect(changes({ op: 'Add', path, value: [{ value: U1 }] })).toEqual([{ kind: 'add', ids: [U1] }]);
    },
  );

  it('adds members without a path', () => {
    expect(changes({ op: 'add', value: { members: [{ value: U1 }] } })).toEqual([{ kind: 'add', ids: [U1] }]);
  });

  it.each([[[]], [null]])('adds nobody with %j', (value) => {
    expect(changes({ op: 'add', path: 'members', value })).toEqual([]);
  });

  it.each([
    ['members[value eq "user:scim:p:u1"]', [U1]],
    ['members[VALUE EQ "user:scim:p:u1"]', [U1]],
    ['members[value eq "user:scim:p:u1" or value eq "user:scim:p:u2"]', [U1, U2]],
    ['members[value eq "user:scim:p:u1" or (value eq "group:scim:p:g1" or value eq "user:scim:p:u1")]', [U1, G1]],
  ])('[RFC7644-3.5.2.2] removes by id: %s', (path, ids) => {
    expect(changes({ op: 'remove', path })).toEqual([{ kind: 'remove', ids }]);
  });

  it('removes nobody by what is no identifier', () => {
    expect(changes({ op: 'remove', path: 'members[value eq "u1"]' })).toEqual([]);
  });

  it.each([
    ['members[type eq "Group"]', 'compare'],
    ['members[value eq "user:scim:p:u1" and type eq "User"]', 'and'],
    ['members[not (value eq "user:scim:p:u1")]', 'not'],
    ['members[value eq "user:scim:p:u1" or display sw "A"]', 'or'],
  ])('leaves it to the store who matches any other filter: %s', (path, kind) => {
    expect(changes({ op: 'remove', path })).toEqual([
      { kind: 'removeMatching', filter: expect.objectContaining({ kind }) },
    ]);
  });

  it('folds what such a filter compares', () => {
    expect(changes({ op: 'remove', path: 'members[type eq "Group"]' })).toEqual([
      {
        kind: 'removeMatching',
        filter: {
          kind: 'compare',
          operator: 'eq',
          value: 'group',
          attribute: { path: ['type'], type: 'string', multiValued: false },
        },
      },
    ]);
  });

  it('removes only the members that the value names', () => {
    expect(changes({ op: 'Remove', path: 'members', value: [{ $ref: null, value: U1 }] })).toEqual([
      { kind: 'remove', ids: [U1] },
    ]);
  });

  it.each(['u1', '', 'user:scim::u1', 'user:other:p:u1'])('removes nobody for %j, which is nobody', (value) => {
    expect(changes({ op: 'remove', path: 'members', value: [{ value }] })).toEqual([]);
    expect(changes({ op: 'remove', path: 'members', value })).toEqual([]);
    expect(changes({ op: 'remove', path: 'members', value: [{ value }, { value: U1 }] })).toEqual([
      { kind: 'remove', ids: [U1] },
    ]);
  });

  it.each([[[{ value: 7 }]], [[{ display: 'Ada' }]], [7]])('refuses to remove %j, which names nobody', (value) => {
    expect(() => changes({ op: 'remove', path: 'members', value })).toThrow(expect.objectContaining({ status: 400 }));
  });

  it('removes nobody when the value names nobody', () => {
    expect(changes({ op: 'remove', path: 'members', value: [] })).toEqual([]);
  });

  it.each([[{}], [{ value: null }]])('[RFC7644-3.5.2.2-2] removes all members without a filter and with %j', (rest) => {
    expect(changes({ op: 'remove', path: 'members', ...rest })).toEqual([{ kind: 'replace', ids: [] }]);
  });

  it.each([
    [[{ value: U1 }], [U1]],
    [[], []],
    [null, []],
  ])('[RFC7644-3.5.2.3] replaces all members by %j', (value, ids) => {
    expect(changes({ op: 'replace', path: 'members', value })).toEqual([{ kind: 'replace', ids }]);
  });

  it('removes all and adds some, in that order', () => {
    expect(
      changes({ op: 'remove', path: 'members' }, { op: 'add', path: 'members', value: [{ value: U1 }, { value: U2 }] }),
    ).toEqual([
      { kind: 'replace', ids: [] },
      { kind: 'add', ids: [U1, U2] },
    ]);
  });

  it.each([
    { op: 'replace', path: 'members[value eq "user:scim:p:u1"].display', value: 'Ada' },
    { op: 'replace', path: 'members[value eq "user:scim:p:u1"].value', value: U2 },
    { op: 'add', path: 'members[value eq "user:scim:p:u1"]', value: { value: U2 } },
    { op: 'replace', path: 'members.type', value: 'Group' },
    { op: 'remove', path: 'members[value eq "user:scim:p:u1"].value' },
  ])('[RFC7644-3.5.2-5] fails with mutability for a change of a member itself: %j', (operation) => {
    expect(() => changes(operation)).toThrow(expect.objectContaining({ status: 400, scimType: 'mutability' }));
  });

  it.each(['u1', '', 7, 'user:scim::u1', 'user:scim:p:', 'user:other:p:u1'])('rejects %j as a member', (value) => {
    expect(() => changes({ op: 'add', path: 'members', value: [{ value }] })).toThrow(
      expect.objectContaining({ status: 400, scimType: 'invalidValue' }),
    );
  });

  it('takes no member without an id', () => {
    expect(() => changes({ op: 'add', path: 'members', value: [{ display: 'Ada' }] })).toThrow(
      expect.objectContaining({ status: 400, scimType: 'invalidValue' }),
    );
  });

  it('adds as many members as a group may hold', () => {
    const value = Array.from({ length: 200_000 }, (_, index) => ({ value: `user:scim:p:${index}` }));

    expect(changes({ op: 'add', path: 'members', value })[0]).toMatchObject({ ids: { length: 200_000 } });
  });

  it('rejects more members than a group may hold', () => {
    const value = Array.from({ length: 200_001 }, () => ({ value: U1 }));

    expect(() => changes({ op: 'add', path: 'members', value })).toThrow(
      expect.objectContaining({ status: 400, scimType: 'invalidValue' }),
    );
  });

  it('leaves the attributes of the group alone', () => {
    const attributes = { displayName: 'Engineers' };
    const operations = parsePatch({ Operations: [{ op: 'remove', path: 'members' }] }, SCHEMA, 'rfc');

    expect(applyPatch({ attributes }, operations, SCHEMA, 'rfc').attributes).toBe(attributes);
  });
});
