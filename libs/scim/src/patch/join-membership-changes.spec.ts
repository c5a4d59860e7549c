import { describe, expect, it } from '@jest/globals';
import type { MembershipChange } from '@palisade/domain';
import { createResourceSchema } from '../schema/create-resource-schema.js';
import { applyPatch } from './apply-patch.js';
import { joinMembershipChanges } from './join-membership-changes.js';
import { parsePatch } from './parse-patch.js';

const SCHEMA = createResourceSchema('Group');
const U1 = 'user:scim:p:u1';
const U2 = 'user:scim:p:u2';
const G1 = 'group:scim:p:g1';

function changes(...operations: readonly object[]): readonly MembershipChange[] {
  const parsed = parsePatch({ Operations: operations }, SCHEMA, 'rfc');
  return applyPatch({ attributes: { displayName: 'Engineers' } }, parsed, SCHEMA, 'rfc').members;
}

function removals(count: number): object[] {
  return Array.from({ length: count }, (_, index) => ({ op: 'remove', path: `members[display co "${index}"]` }));
}

describe(joinMembershipChanges.name, () => {
  it('joins additions, and removals, that follow each other', () => {
    expect(
      changes(
        { op: 'add', path: 'members', value: U1 },
        { op: 'add', path: 'members', value: [U2, U1] },
        { op: 'remove', path: `members[value eq "${U1}"]` },
        { op: 'remove', path: `members[value eq "${G1}"]` },
        { op: 'add', path: 'members', value: U1 },
      ),
    ).toEqual([
      { kind: 'add', ids: [U1, U2] },
      { kind: 'remove', ids: [U1, G1] },
      { kind: 'add', ids: [U1] },
    ]);
  });

  it('keeps replacements apart', () => {
    expect(
      changes(
        { op: 'replace', path: 'members', value: [U1] },
        { op: 'replace', path: 'members', value: [] },
        { op: 'add', path: 'members', value: U2 },
      ),
    ).toEqual([
      { kind: 'replace', ids: [U1] },
      { kind: 'replace', ids: [] },
      { kind: 'add', ids: [U2] },
    ]);
  });

  it('joins removals by filter that follow each other into one', () => {
    const [removal, ...others] = changes(
      { op: 'remove', path: 'members[display co "a"]' },
      { op: 'remove', path: 'members[display co "b" or display co "A"]' },
      { op: 'remove', path: 'members[display co "a"]' },
    );
    expect(others).toEqual([]);
    expect(removal).toEqual({
      kind: 'removeMatching',
      filter: {
        kind: 'or',
        operands: [
          expect.objectContaining({ value: 'a' }),
          expect.objectContaining({
            kind: 'or',
            operands: [expect.objectContaining({ value: 'b' }), expect.objectContaining({ value: 'a' })],
          }),
        ],
      },
    });
  });

  it('keeps removals by filter apart from what comes between them', () => {
    const removal = { op: 'remove', path: 'members[type eq "User"]' };
    expect(changes(removal, { op: 'add', path: 'members', value: U1 }, removal).map(({ kind }) => kind)).toEqual([
      'removeMatching',
      'add',
      'removeMatching',
    ]);
  });

  it('accepts twenty conditions on members to remove', () => {
    expect(changes(...removals(20))).toHaveLength(1);
  });

  it.each([
    ['that follow each other', removals(21)],
    ['that are apart', removals(21).flatMap((removal) => [removal, { op: 'add', path: 'members', value: U1 }])],
    [
      'in one filter',
      [{ op: 'remove', path: `members[${Array.from({ length: 21 }, (_, n) => `display co "${n}"`).join(' and ')}]` }],
    ],
  ])('[RFC7644-3.12] rejects twenty-one conditions %s with tooMany', (_name, operations) => {
    expect(() => changes(...operations)).toThrow(
      expect.objectContaining({
        status: 400,
        scimType: 'tooMany',
        message: 'members: expected at most 20 conditions on members to remove in one request, found 21',
      }),
    );
  });
});
