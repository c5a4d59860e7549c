import { describe, expect, it } from '@jest/globals';
import type { Dialect, JsonObject } from '@palisade/domain';
import { createResourceSchema } from '../schema/create-resource-schema.js';
import { PATCH_OP_URN } from '../urns.js';
import { applyPatch, type PatchedState } from './apply-patch.js';
import { parsePatch } from './parse-patch.js';

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const USER = { userName: 'ada', active: true };
const SCHEMA = createResourceSchema('User');

function patch(operations: readonly object[], attributes: object = {}, dialect: Dialect = 'entra'): PatchedState {
  const body = { schemas: [PATCH_OP_URN], Operations: operations };
  const state = { externalId: '1', attributes: { ...USER, ...attributes } };
  return applyPatch(state, parsePatch(body, SCHEMA, dialect, { requireSchemas: true }), SCHEMA, dialect);
}

function attributesAfter(operations: readonly object[], attributes: object = {}): JsonObject {
  return patch(operations, attributes).attributes;
}

describe(`${applyPatch.name}: what Entra ID sends`, () => {
  it('updates with one operation per attribute', () => {
    const operations = [
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'ada@contoso.com' },
      { op: 'Replace', path: 'name.familyName', value: 'King' },
      { op: 'Add', path: 'addresses[type eq "work"].locality', value: 'London' },
      { op: 'Replace', path: `${ENTERPRISE}:employeeNumber`, value: '701984' },
      { op: 'Remove', path: 'title' },
    ];
    const before = { name: { familyName: 'Byron' }, title: 'Miss', emails: [{ value: 'a@x.org', type: 'work' }] };

    expect(attributesAfter(operations, before)).toEqual({
      ...USER,
      name: { familyName: 'King' },
      emails: [{ value: 'ada@contoso.com', type: 'work' }],
      addresses: [{ locality: 'London', type: 'work' }],
      [ENTERPRISE]: { employeeNumber: '701984' },
    });
  });

  it('updates with dotted and qualified names in one operation without a path', () => {
    const value = {
      displayName: 'Ada King',
      'name.givenName': 'Ada',
      'name.familyName': 'King',
      [`${ENTERPRISE}:department`]: 'Notes',
      [`${ENTERPRISE}:manager`]: 'user:scim:p:m1',
      'emails[type eq "work"].value': 'ada@contoso.com',
    };

    expect(attributesAfter([{ op: 'replace', value }])).toEqual({
      ...USER,
      displayName: 'Ada King',
      name: { givenName: 'Ada', familyName: 'King' },
      emails: [{ value: 'ada@contoso.com', type: 'work' }],
      [ENTERPRISE]: { department: 'Notes', manager: { value: 'user:scim:p:m1' } },
    });
  });

  it.each(['False', 'false', 'FALSE', false])('disables with %j', (value) => {
    expect(attributesAfter([{ op: 'Replace', path: 'active', value }])).toEqual({ ...USER, active: false });
  });

  it.each([
    ['manager', [{ $ref: 'https://example.com/Users/m1', value: 'm1' }]],
    [`${ENTERPRISE}:manager`, [{ $ref: 'https://example.com/Users/m1', value: 'm1' }]],
    ['manager', { $ref: 'https://example.com/Users/m1', value: 'm1' }],
  ])('sets %s by a reference', (path, value) => {
    expect(attributesAfter([{ op: 'Add', path, value }])).toEqual({
      ...USER,
      [ENTERPRISE]: { manager: { value: 'm1', $ref: 'https://example.com/Users/m1' } },
    });
  });

  it.each(['manager', `${ENTERPRISE}:manager`, 'manager.value'])('sets %s by a bare id', (path) => {
    expect(attributesAfter([{ op: 'Add', path, value: 'm1' }])).toEqual({
      ...USER,
      [ENTERPRISE]: { manager: { value: 'm1' } },
    });
  });

  it('sets the manager without a reference when $ref is null', () => {
    expect(attributesAfter([{ op: 'Add', path: 'manager', value: [{ $ref: null, value: 'm1' }] }])).toEqual({
      ...USER,
      [ENTERPRISE]: { manager: { value: 'm1' } },
    });
  });

  it.each(['Add', 'Replace'])('creates the element that %s on a value path does not find', (op) => {
    const emails = [{ value: 'b@x.org', type: 'home' }];

    expect(
      attributesAfter([{ op, path: 'emails[type eq "work"].value', value: 'a@x.org' }], { emails }).emails,
    ).toEqual([
      { value: 'b@x.org', type: 'home' },
      { value: 'a@x.org', type: 'work' },
    ]);
  });

  it('finds the element that an operation before created', () => {
    const operations = [
      { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '1' },
      { op: 'Add', path: 'phoneNumbers[type eq "mobile"].primary', value: 'True' },
    ];

    expect(attributesAfter(operations).phoneNumbers).toEqual([{ value: '1', type: 'mobile', primary: true }]);
  });

  it('creates an element from all conditions and from the value', () => {
    const path = 'emails[type eq "work" and (primary eq "True" and display eq Ada)]';

    expect(attributesAfter([{ op: 'Add', path, value: { value: 'a@x.org' } }]).emails).toEqual([
      { value: 'a@x.org', display: 'Ada', type: 'work', primary: true },
    ]);
    expect(attributesAfter([{ op: 'Replace', path, value: { value: 'a@x.org' } }]).emails).toEqual([
      { value: 'a@x.org', display: 'Ada', type: 'work', primary: true },
    ]);
  });

  it('makes a created primary element the only one', () => {
    const roles = [{ value: 'a', type: 'x', primary: false }];
    const operations = [{ op: 'Add', path: 'roles[primary eq "True"].value', value: 'b' }];

    expect(attributesAfter(operations, { roles }).roles).toEqual([
      { value: 'a', type: 'x', primary: false },
      { value: 'b', primary: true },
    ]);
  });

  it('replaces the role that is primary', () => {
    const roles = [{ value: 'a' }, { value: 'b', primary: true }];

    expect(
      attributesAfter([{ op: 'Replace', path: 'roles[primary eq "True"].value', value: 'c' }], { roles }).roles,
    ).toEqual([{ value: 'a' }, { value: 'c', primary: true }]);
  });

  it('creates nothing to hold no value', () => {
    expect(attributesAfter([{ op: 'Replace', path: 'emails[type eq "work"].value', value: null }])).toEqual(USER);
  });

  it.each([
    'emails[type ne "work"].value',
    'emails[type eq "work" or type eq "home"].value',
    'emails[not (type eq "work")].value',
    'emails[type eq "work" and type eq "home"].value',
    'emails[type pr].value',
  ])('fails with noTarget when %s does not tell what to create', (path) => {
    expect(() => patch([{ op: 'Add', path, value: 'a@x.org' }])).toThrow(
      expect.objectContaining({ status: 400, scimType: 'noTarget' }),
    );
  });

  it('removes nothing when a value path finds nothing', () => {
    expect(attributesAfter([{ op: 'Remove', path: 'emails[type eq "work"].value' }])).toEqual(USER);
  });

  it('takes an unquoted literal as a string', () => {
    const emails = [{ value: 'a@x.org', type: 'work' }];

    expect(attributesAfter([{ op: 'Remove', path: 'emails[type eq work]' }], { emails })).toEqual(USER);
  });

  it.each(['rfc', 'okta'] as const)('rejects an unquoted literal in the dialect %s', (dialect) => {
    expect(() => patch([{ op: 'Remove', path: 'emails[type eq work]' }], {}, dialect)).toThrow(
      expect.objectContaining({ status: 400, scimType: 'invalidFilter' }),
    );
  });

  it('changes the external id', () => {
    expect(patch([{ op: 'Replace', path: 'externalId', value: 'mail-nickname' }]).externalId).toBe('mail-nickname');
  });

  it('stores values verbatim', () => {
    expect(attributesAfter([{ op: 'Replace', path: 'title', value: ' Gräfin  von\tLovelace ' }]).title).toBe(
      ' Gräfin  von\tLovelace ',
    );
  });
});
