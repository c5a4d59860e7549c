import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@palisade/domain';
import { createResourceSchema } from '../schema/create-resource-schema.js';
import { defineAttribute } from '../schema/define-attribute.js';
import { applyPatch } from './apply-patch.js';
import { parsePatch } from './parse-patch.js';

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const USER = { userName: 'ada', active: true };
const BADGES = 'urn:example:badges';
const SCHEMA = createResourceSchema('User', [
  {
    resourceType: 'User',
    required: false,
    schema: {
      id: BADGES,
      name: 'Badges',
      description: '',
      attributes: [
        defineAttribute({ name: 'scores', description: '', type: 'integer', multiValued: true }),
        defineAttribute({ name: 'serial', description: '', mutability: 'immutable' }),
        defineAttribute({ name: 'holder', description: '', required: true }),
        defineAttribute({
          name: 'keys',
          description: '',
          type: 'complex',
          multiValued: true,
          subAttributes: [
            defineAttribute({ name: 'value', description: '', required: true }),
            defineAttribute({ name: 'type', description: '' }),
          ],
        }),
      ],
    },
  },
]);

/** Attributes of a user after one `remove`. */
function remove(attributes: object, operation: object): JsonObject {
  const operations = parsePatch({ Operations: [{ op: 'remove', ...operation }] }, SCHEMA, 'rfc');
  return applyPatch({ attributes: { ...USER, ...attributes } }, operations, SCHEMA, 'rfc').attributes;
}

describe(`${applyPatch.name}: remove`, () => {
  it.each(['title', 'TITLE', 'urn:ietf:params:scim:schemas:core:2.0:User:title'])(
    '[RFC7644-3.5.2.2-1] unassigns a single-valued attribute by its path %s',
    (path) => {
      expect(remove({ title: 'Miss' }, { path })).toEqual(USER);
    },
  );

  it('removes a single-valued attribute whatever value is given', () => {
    expect(remove({ title: 'Miss' }, { path: 'title', value: 'Countess' })).toEqual(USER);
  });

  it('[RFC7644-3.5.2.2-4] unassigns a sub-attribute and keeps the others', () => {
    const name = { familyName: 'King', givenName: 'Ada' };

    expect(remove({ name }, { path: 'name.givenName' })).toMatchObject({ name: { familyName: 'King' } });
  });

  it('unassigns a complex attribute with its last sub-attribute', () => {
    expect(remove({ name: { givenName: 'Ada' } }, { path: 'name.givenName' })).toEqual(USER);
  });

  it('removes a complex attribute whole', () => {
    expect(remove({ name: { familyName: 'King', givenName: 'Ada' } }, { path: 'name' })).toEqual(USER);
  });

  it('[RFC7644-3.5.2.2-2] unassigns a multi-valued attribute without a filter', () => {
    expect(remove({ emails: [{ value: 'a@x.org' }, { value: 'b@x.org' }] }, { path: 'emails' })).toEqual(USER);
  });

  it('[RFC7644-3.5.2.2] removes the elements that the filter selects', () => {
    const emails = [
      { value: 'a@example.com', type: 'work' },
      { value: 'a@example.org', type: 'work' },
      { value: 'b@example.com', type: 'home' },
    ];

    expect(remove({ emails }, { path: 'emails[type eq "work" and value ew "example.com"]' }).emails).toEqual([
      { value: 'a@example.org', type: 'work' },
      { value: 'b@example.com', type: 'home' },
    ]);
  });

  it('[RFC7644-3.5.2.2-5] unassigns a complex multi-valued attribute with its last element', () => {
    expect(remove({ emails: [{ value: 'a@x.org', type: 'work' }] }, { path: 'emails[type eq "work"]' })).toEqual(USER);
  });

  it('[RFC7644-3.5.2.2-3] unassigns a list of simple values with the last one that a filter selects', () => {
    const attributes = { [BADGES]: { holder: 'ada', scores: [3] } };

    expect(remove(attributes, { path: `${BADGES}:scores[value eq 3]` })).toEqual({
      ...USER,
      [BADGES]: { holder: 'ada' },
    });
  });

  it('selects simple values by comparing their value', () => {
    const attributes = { [BADGES]: { holder: 'ada', scores: [3, 4, 5] } };

    expect(remove(attributes, { path: `${BADGES}:scores[value gt 3]` })).toMatchObject({ [BADGES]: { scores: [3] } });
  });

  it('[RFC7644-3.5.2.2-4] removes a sub-attribute of the elements that the filter selects', () => {
    const emails = [
      { value: 'a@x.org', type: 'work' },
      { value: 'b@x.org', type: 'home' },
    ];

    expect(remove({ emails }, { path: 'emails[type eq "home"].type' }).emails).toEqual([
      { value: 'a@x.org', type: 'work' },
      { value: 'b@x.org' },
    ]);
  });

  it('removes a sub-attribute of every element without a filter, and elements that have nothing left', () => {
    const emails = [{ value: 'a@x.org', type: 'work' }, { type: 'home' }];

    expect(remove({ emails }, { path: 'emails.type' }).emails).toEqual([{ value: 'a@x.org' }]);
  });

  it.each([
    'emails[type eq "home"]',
    'emails[type eq "home"].value',
    'title',
    'name.givenName',
    `${ENTERPRISE}:manager`,
  ])('succeeds and changes nothing when there is nothing at %s', (path) => {
    const attributes = { userName: 'ada', emails: [{ value: 'a@x.org', type: 'work' }] };
    const operations = parsePatch({ Operations: [{ op: 'remove', path }] }, SCHEMA, 'rfc');

    expect(applyPatch({ attributes }, operations, SCHEMA, 'rfc').attributes).toBe(attributes);
  });

  it('removes of a multi-valued attribute only what the value names', () => {
    const roles = [{ value: 'a' }, { value: 'b', type: 'x' }, { value: 'B', type: 'y' }];

    expect(remove({ roles }, { path: 'roles', value: [{ value: 'b' }] })).toMatchObject({
      roles: [{ value: 'a' }],
    });
  });

  it('keeps elements that differ from what the value names', () => {
    const roles = [
      { value: 'a', type: 'x' },
      { value: 'a', type: 'y' },
    ];

    expect(remove({ roles }, { path: 'roles', value: { value: 'a', type: 'y' } })).toMatchObject({
      roles: [{ value: 'a', type: 'x' }],
    });
  });

  it.each([[[]], [[null]], [[{}]]])('removes nothing when the value %j names nothing', (value) => {
    expect(remove({ roles: [{ value: 'a' }] }, { path: 'roles', value })).toMatchObject({ roles: [{ value: 'a' }] });
  });

  it('removes all values when the value is null', () => {
    expect(remove({ roles: [{ value: 'a' }] }, { path: 'roles', value: null })).not.toHaveProperty('roles');
  });

  it('[RFC7644-3.5.2.2] fails with noTarget without a path', () => {
    expect(() => remove({}, {})).toThrow(expect.objectContaining({ status: 400, scimType: 'noTarget' }));
  });

  it('fails with noTarget without a path even when there is a value', () => {
    expect(() => remove({ title: 'Miss' }, { value: { title: 'Miss' } })).toThrow(
      expect.objectContaining({ status: 400, scimType: 'noTarget' }),
    );
  });

  it.each([
    ['the required attribute', {}, 'userName'],
    ['the readOnly attribute', {}, 'groups'],
    ['the readOnly attribute', {}, 'id'],
    ['the readOnly attribute', {}, 'meta.created'],
    ['the readOnly sub-attribute', {}, `${ENTERPRISE}:manager.displayName`],
    ['what is required of every resource,', {}, 'schemas'],
    ['the required attribute of an extension', { [BADGES]: { holder: 'ada' } }, `${BADGES}:holder`],
    [
      'the required sub-attribute',
      { [BADGES]: { holder: 'a', keys: [{ value: 'k', type: 't' }] } },
      `${BADGES}:keys.value`,
    ],
    ['the immutable attribute', { [BADGES]: { holder: 'ada', serial: '1' } }, `${BADGES}:serial`],
    ['the extension with the immutable attribute', { [BADGES]: { holder: 'ada', serial: '1' } }, BADGES],
  ])('[RFC7644-3.5.2.2-6] fails with mutability for %s %3$s', (_, attributes, path) => {
    expect(() => remove(attributes, { path })).toThrow(
      expect.objectContaining({ status: 400, scimType: 'mutability' }),
    );
  });

  it('removes an extension with all that is in it', () => {
    expect(remove({ [ENTERPRISE]: { department: 'Notes', manager: { value: 'm' } } }, { path: ENTERPRISE })).toEqual(
      USER,
    );
  });

  it.each([true, false])('keeps whether a user is active when active is removed: %s', (active) => {
    expect(remove({ active }, { path: 'active' })).toEqual({ ...USER, active });
  });

  it('keeps a user inactive who is deactivated before active is removed', () => {
    const Operations = [
      { op: 'replace', path: 'active', value: false },
      { op: 'remove', path: 'active' },
    ];
    const { attributes } = applyPatch({ attributes: USER }, parsePatch({ Operations }, SCHEMA, 'rfc'), SCHEMA, 'rfc');
    expect(attributes).toEqual({ ...USER, active: false });
  });
});
