import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@palisade/domain';
import { createResourceSchema } from '../schema/create-resource-schema.js';
import { defineAttribute } from '../schema/define-attribute.js';
import { applyPatch } from './apply-patch.js';
import { parsePatch } from './parse-patch.js';

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const BADGES = 'urn:example:badges';
const USER = { userName: 'ada', active: true };
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
            defineAttribute({ name: 'value', description: '', mutability: 'immutable' }),
            defineAttribute({ name: 'type', description: '' }),
          ],
        }),
      ],
    },
  },
]);

/** Attributes of a user after one `replace`. */
function replace(attributes: object, operation: object): JsonObject {
  const operations = parsePatch({ Operations: [{ op: 'replace', ...operation }] }, SCHEMA, 'rfc');
  return applyPatch({ attributes: { ...USER, ...attributes } }, operations, SCHEMA, 'rfc').attributes;
}

const WORK = { value: 'a@x.org', type: 'work' };
const HOME = { value: 'b@x.org', type: 'home' };

describe(`${applyPatch.name}: replace`, () => {
  it('[RFC7644-3.5.2.3] replaces a single-valued attribute', () => {
    expect(replace({ title: 'Miss' }, { path: 'title', value: 'Countess' })).toEqual({ ...USER, title: 'Countess' });
  });

  it('[RFC7644-3.5.2.3-2] adds an attribute that has no value', () => {
    expect(replace({}, { path: 'title', value: 'Countess' })).toEqual({ ...USER, title: 'Countess' });
  });

  it('[RFC7644-3.5.2.3-1] replaces the attributes that the value lists when there is no path', () => {
    const attributes = { nickName: 'Barb', title: 'Tour Guide', emails: [{ value: 'old@example.com' }] };
    const value = {
      emails: [
        { value: 'bjensen@example.com', type: 'work', primary: true },
        { value: 'babs@jensen.org', type: 'home' },
      ],
      nickname: 'Babs',
    };

    expect(replace(attributes, { value })).toEqual({
      ...USER,
      nickName: 'Babs',
      title: 'Tour Guide',
      emails: value.emails,
    });
  });

  it('[RFC7644-3.5.2.3] replaces all values of a multi-valued attribute without a filter', () => {
    expect(replace({ emails: [WORK] }, { path: 'emails', value: [HOME] })).toMatchObject({ emails: [HOME] });
  });

  it('[RFC7644-3.5.2.3-3] sets the given sub-attributes of a complex attribute and leaves the others', () => {
    const name = { familyName: 'Byron', givenName: 'Ada' };

    expect(replace({ name }, { path: 'name', value: { familyName: 'King', middleName: 'Augusta' } }).name).toEqual({
      familyName: 'King',
      givenName: 'Ada',
      middleName: 'Augusta',
    });
  });

  it('[RFC7643-2.5-1] unassigns the sub-attributes that are given as null', () => {
    const name = { familyName: 'Byron', givenName: 'Ada' };

    expect(replace({ name }, { path: 'name', value: { givenName: null } }).name).toEqual({ familyName: 'Byron' });
  });

  it.each([
    ['null', 'title', null],
    ['null', 'name', null],
    ['null', 'emails', null],
    ['an empty list', 'emails', []],
    ['null', ENTERPRISE, null],
  ])('[RFC7643-2.5-1] unassigns with %s: %s', (_, path, value) => {
    const attributes = { name: { givenName: 'Ada' }, title: 'Miss', emails: [WORK], [ENTERPRISE]: { division: 'x' } };

    expect(replace(attributes, { path, value })).not.toHaveProperty([path]);
  });

  it('replaces one sub-attribute by its path', () => {
    const name = { familyName: 'Byron', givenName: 'Ada' };

    expect(replace({ name }, { path: 'NAME.FAMILYNAME', value: 'King' }).name).toEqual({
      familyName: 'King',
      givenName: 'Ada',
    });
  });

  it('[RFC7644-3.5.2.3-4] replaces the elements that the filter selects as a whole', () => {
    const addresses = [
      { streetAddress: '1 Old Road', locality: 'London', type: 'work' },
      { locality: 'Ockham', type: 'home', primary: true },
    ];
    const value = { type: 'work', streetAddress: '911 Universal City Plaza', primary: true };

    expect(replace({ addresses }, { path: 'addresses[type eq "work"]', value }).addresses).toEqual([
      { streetAddress: '911 Universal City Plaza', type: 'work', primary: true },
      { locality: 'Ockham', type: 'home', primary: false },
    ]);
  });

  it('[RFC7644-3.5.2.3] replaces a sub-attribute of all elements that the filter selects', () => {
    const addresses = [
      { streetAddress: '1 Old Road', type: 'work' },
      { streetAddress: '2 Old Road', type: 'Work' },
      { streetAddress: '3 Old Road', type: 'home' },
    ];
    const path = 'addresses[type eq "work"].streetAddress';

    expect(replace({ addresses }, { path, value: '1010 Broadway Ave' }).addresses).toEqual([
      { streetAddress: '1010 Broadway Ave', type: 'work' },
      { streetAddress: '1010 Broadway Ave', type: 'Work' },
      { streetAddress: '3 Old Road', type: 'home' },
    ]);
  });

  it.each(['emails[type eq "work"]', 'emails[type eq "work"].value'])(
    '[RFC7644-3.5.2.3-5] fails with noTarget when the filter of %s selects nothing',
    (path) => {
      const value = path.endsWith('value') ? 'a@x.org' : WORK;

      expect(() => replace({ emails: [HOME] }, { path, value })).toThrow(
        expect.objectContaining({ status: 400, scimType: 'noTarget' }),
      );
    },
  );

  it('removes the elements that the filter selects when they are replaced by null', () => {
    expect(replace({ emails: [WORK, HOME] }, { path: 'emails[type eq "work"]', value: null }).emails).toEqual([HOME]);
  });

  it('[RFC7643-2.4-7] leaves one element when a change makes two the same', () => {
    const emails = [
      { ...WORK, display: 'a' },
      { ...WORK, type: 'home', display: 'b' },
    ];

    expect(replace({ emails }, { path: 'emails[type eq "home"].type', value: 'work' }).emails).toEqual([
      { value: 'a@x.org', display: 'b', type: 'work' },
    ]);
  });

  it('[RFC7644-3.5.2-9] takes primary from the others when an element becomes primary', () => {
    const emails = [{ ...WORK, primary: true }, HOME];

    expect(replace({ emails }, { path: 'emails[type eq "home"].primary', value: true }).emails).toEqual([
      { ...WORK, primary: false },
      { ...HOME, primary: true },
    ]);
  });

  it.each([
    [
      'by a list',
      {
        path: 'emails',
        value: [
          { ...WORK, primary: true },
          { ...HOME, primary: true },
        ],
      },
    ],
    ['by a filter that selects two', { path: 'emails[value pr].primary', value: true }],
  ])('[RFC7643-2.4-3] fails with invalidValue when two values become primary %s', (_, operation) => {
    expect(() => replace({ emails: [WORK, HOME] }, operation)).toThrow(
      expect.objectContaining({ status: 400, scimType: 'invalidValue' }),
    );
  });

  it('replaces simple values that the filter selects', () => {
    const attributes = { [BADGES]: { holder: 'ada', scores: [3, 4] } };

    expect(replace(attributes, { path: `${BADGES}:scores[value eq 3]`, value: 7 })).toMatchObject({
      [BADGES]: { scores: [7, 4] },
    });
  });

  it('replaces an attribute of an extension, and keeps the others', () => {
    const attributes = { [ENTERPRISE]: { department: 'Notes', division: 'Engines' } };

    expect(replace(attributes, { path: `${ENTERPRISE}:department`, value: 'Tables' })).toMatchObject({
      [ENTERPRISE]: { department: 'Tables', division: 'Engines' },
    });
  });

  it.each([ENTERPRISE, undefined])('ignores the schemas that an extension repeats, with the path %s', (path) => {
    const data = { schemas: [ENTERPRISE], department: 'Tables' };
    const value = path === undefined ? { [ENTERPRISE]: data } : data;
    const { [ENTERPRISE]: extension } = replace({ [ENTERPRISE]: { division: 'x' } }, { path, value });

    expect(extension).toEqual({ department: 'Tables', division: 'x' });
  });

  it('replaces the manager whole by a bare id, so that no link to the former one stays', () => {
    const attributes = { [ENTERPRISE]: { manager: { value: 'm1', $ref: '../Users/m1' } } };

    expect(replace(attributes, { path: `${ENTERPRISE}:manager`, value: 'm2' })).toMatchObject({
      [ENTERPRISE]: { manager: { value: 'm2' } },
    });
    expect(replace(attributes, { path: `${ENTERPRISE}:manager`, value: 'm2' })).not.toHaveProperty([
      ENTERPRISE,
      'manager',
      '$ref',
    ]);
  });

  it.each([
    ['False', false],
    ['FALSE', false],
    ['True', true],
    [false, false],
  ])('reads %j as the boolean %j', (value, expected) => {
    expect(replace({}, { path: 'active', value }).active).toBe(expected);
  });

  it.each([
    ['userName', null],
    ['userName', undefined],
    [`${BADGES}:holder`, null],
  ])('[RFC7644-3.5.2.2-6] does not unassign the required attribute %s', (path, value) => {
    expect(() => replace({ [BADGES]: { holder: 'ada' } }, { path, ...(value === null ? { value } : {}) })).toThrow(
      expect.objectContaining({ status: 400, scimType: value === null ? 'mutability' : 'invalidValue' }),
    );
  });

  it('[RFC7643-4.1.1-1] rejects a blank userName', () => {
    expect(() => replace({}, { path: 'userName', value: ' ' })).toThrow(
      expect.objectContaining({ status: 400, scimType: 'invalidValue' }),
    );
  });

  it('rejects an extension without its required attribute', () => {
    expect(() => replace({}, { path: `${BADGES}:serial`, value: '1' })).toThrow(
      expect.objectContaining({ status: 400, scimType: 'invalidValue' }),
    );
  });

  it('changes a resource that lacks what has become required since', () => {
    const attributes = { [BADGES]: { serial: '1' } };

    expect(replace(attributes, { path: 'active', value: false })).toEqual({ ...USER, ...attributes, active: false });
  });

  it.each([
    ['an attribute', { path: `${BADGES}:serial`, value: '2' }],
    ['an attribute inside of an extension', { path: BADGES, value: { serial: '2' } }],
    ['a sub-attribute', { path: `${BADGES}:keys[type eq "t"].value`, value: 'l' }],
    ['an element with a sub-attribute', { path: `${BADGES}:keys[type eq "t"]`, value: { value: 'l', type: 't' } }],
  ])('[RFC7643-7-11] fails with mutability when %s is immutable and has another value', (_, operation) => {
    const attributes = { [BADGES]: { serial: '1', holder: 'ada', keys: [{ value: 'k', type: 't' }] } };

    expect(() => replace(attributes, operation)).toThrow(
      expect.objectContaining({ status: 400, scimType: 'mutability' }),
    );
  });

  it('exchanges whole elements with immutable sub-attributes in a list', () => {
    const attributes = { [BADGES]: { holder: 'ada', keys: [{ value: 'k' }] } };

    expect(replace(attributes, { path: `${BADGES}:keys`, value: [{ value: 'l' }] })).toMatchObject({
      [BADGES]: { keys: [{ value: 'l' }] },
    });
  });

  it('[RFC7643-4.1.1-8] discards a password', () => {
    const attributes = { ...USER };
    const operations = parsePatch(
      { Operations: [{ op: 'replace', path: 'password', value: 'secret' }] },
      SCHEMA,
      'rfc',
    );

    expect(applyPatch({ attributes }, operations, SCHEMA, 'rfc').attributes).toBe(attributes);
  });

  it('validates a password all the same, without quoting it', () => {
    expect(() => replace({}, { path: 'password', value: 's\0cret' })).toThrow(
      expect.objectContaining({ scimType: 'invalidValue', detail: expect.not.stringContaining('cret') as unknown }),
    );
  });

  it('[RFC7644-3.5.2] accepts a change of schemas, which follow from the attributes', () => {
    expect(replace({ title: 'Miss' }, { path: 'schemas', value: [ENTERPRISE] })).toEqual({ ...USER, title: 'Miss' });
  });
});
