import { describe, expect, it } from '@jest/globals';
import { createResourceSchema } from '../schema/create-resource-schema.js';
import { PATCH_OP_URN } from '../urns.js';
import { applyPatch, type PatchedState } from './apply-patch.js';
import { parsePatch } from './parse-patch.js';

function patch(type: 'User' | 'Group', attributes: object, operations: readonly object[]): PatchedState {
  const schema = createResourceSchema(type);
  const parsed = parsePatch({ schemas: [PATCH_OP_URN], Operations: operations }, schema, 'okta', {
    requireSchemas: true,
  });
  return applyPatch({ attributes: { ...attributes } }, parsed, schema, 'okta');
}

describe(`${applyPatch.name}: what Okta sends`, () => {
  it('deactivates without a path', () => {
    expect(patch('User', { userName: 'ada', active: true }, [{ op: 'replace', value: { active: false } }])).toEqual({
      attributes: { userName: 'ada', active: false },
      members: [],
    });
  });

  it('[RFC7643-3.1-7] renames a group with its id in the value, and leaves the members alone', () => {
    const value = { id: 'group:scim:p:g1', displayName: 'Engineers' };

    expect(patch('Group', { displayName: 'Engineering' }, [{ op: 'replace', value }])).toEqual({
      attributes: { displayName: 'Engineers' },
      members: [],
    });
  });

  it('[RFC7643-3.1-11] ignores every readOnly attribute of a whole resource without a path', () => {
    const value = {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      id: 'user:scim:p:u1',
      meta: { resourceType: 'User', created: '2026-01-01T00:00:00Z' },
      groups: [{ value: 'group:scim:p:g1' }],
      title: 'Countess',
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { manager: { displayName: 'Boss' } },
    };

    expect(patch('User', { userName: 'ada', active: true }, [{ op: 'replace', value }]).attributes).toEqual({
      userName: 'ada',
      title: 'Countess',
      active: true,
    });
  });

  it('exchanges members in one request', () => {
    const operations = [
      { op: 'remove', path: 'members[value eq "user:scim:p:u1"]' },
      { op: 'add', path: 'members', value: [{ value: 'user:scim:p:u2', display: 'ada@example.com' }] },
    ];

    expect(patch('Group', { displayName: 'Engineers' }, operations).members).toEqual([
      { kind: 'remove', ids: ['user:scim:p:u1'] },
      { kind: 'add', ids: ['user:scim:p:u2'] },
    ]);
  });

  it('replaces all members', () => {
    const operations = [
      { op: 'replace', path: 'members', value: [{ value: 'user:scim:p:u1', display: 'ada@example.com' }] },
    ];

    expect(patch('Group', { displayName: 'Engineers' }, operations).members).toEqual([
      { kind: 'replace', ids: ['user:scim:p:u1'] },
    ]);
  });

  it('replaces all members by none', () => {
    expect(
      patch('Group', { displayName: 'Engineers' }, [{ op: 'replace', path: 'members', value: [] }]).members,
    ).toEqual([{ kind: 'replace', ids: [] }]);
  });
});
