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
        defineAttribute({
          name: 'keys',
          description: '',
          type: 'complex',
          multiValued: true,
          subAttributes: [
            defineAttribute({ name: 'value', description: '', mutability: 'immutable' }),
            defineAttribute({ name: 'maker', description: '', mutability: 'immutable' }),
            defineAttribute({ name: 'doors', description: '', multiValued: true }),
          ],
        }),
      ],
    },
  },
]);

/** Attributes of a user after one `add`. */
function add(attributes: object, operation: object): JsonObject {
  const operations = parsePatch({ Operations: [{ op: 'add', ...operation }] }, SCHEMA, 'rfc');
  return applyPatch({ attributes: { ...USER, ...attributes } }, operations, SCHEMA, 'rfc').attributes;
}

describe(`${applyPatch.name}: add`, () => {
  it('[RFC7644-3.5.2.1] gives a single-valued attribute its first value', () => {
    expect(add({}, { path: 'title', value: 'Countess' })).toMatchObject({ title: 'Countess' });
  });

  it('[RFC7644-3.5.2.1] replaces the value of a single-valued attribute', () => {
    expect(add({ title: 'Miss' }, { path: 'title', value: 'Countess' })).toMatchObject({ title: 'Countess' });
  });

  it('[RFC7644-3.5.2.1] adds several attributes without a path', () => {
    const value = { emails: [{ value: 'babs@jensen.org', type: 'home' }], nickname: 'Babs' };

    expect(add({ emails: [{ value: 'bjensen@example.com', type: 'work' }] }, { value })).toMatchObject({
      nickName: 'Babs',
      emails: [
        { value: 'bjensen@example.com', type: 'work' },
        { value: 'babs@jensen.org', type: 'home' },
      ],
    });
  });

  it('[RFC7644-3.5.2.1-2] sets the given sub-attributes of a complex attribute and leaves the others', () => {
    const name = { familyName: 'Byron', givenName: 'Augusta' };

    expect(add({ name }, { path: 'name', value: { familyName: 'King' } })).toMatchObject({
      name: { familyName: 'King', givenName: 'Augusta' },
    });
  });

  it('gives a complex attribute its first sub-attribute', () => {
    expect(add({}, { path: 'name.familyName', value: 'King' })).toMatchObject({ name: { familyName: 'King' } });
  });

  it('[RFC7644-3.5.2.1] appends values to a multi-valued attribute', () => {
    const path = 'phoneNumbers';

    expect(add({ phoneNumbers: [{ value: '1' }] }, { path, value: [{ value: '2' }, { value: '3' }] })).toMatchObject({
      phoneNumbers: [{ value: '1' }, { value: '2' }, { value: '3' }],
    });
  });

  it('appends a lone value that is no list', () => {
    expect(add({ roles: [{ value: 'a' }] }, { path: 'roles', value: { value: 'b' } })).toMatchObject({
      roles: [{ value: 'a' }, { value: 'b' }],
    });
  });

  it('[RFC7644-3.5.2.1-3] leaves a multi-valued attribute alone that has the value already', () => {
    const attributes = { userName: 'ada', emails: [{ value: 'a@x.org', type: 'work', primary: true }] };
    const operations = parsePatch(
      { Operations: [{ op: 'add', path: 'emails', value: [{ type: 'work', primary: true, value: 'a@x.org' }] }] },
      SCHEMA,
      'rfc',
    );

    expect(applyPatch({ attributes }, operations, SCHEMA, 'rfc').attributes).toBe(attributes);
  });

  it('[RFC7644-3.5.2.1-4] succeeds when a single-valued attribute has the value already', () => {
    expect(add({ title: 'Countess' }, { path: 'title', value: 'Countess' })).toEqual({ ...USER, title: 'Countess' });
  });

  it('[RFC7643-2.4-7] never holds the same type and value twice: the element takes over what is added to it', () => {
    const emails = [{ value: 'a@x.org', type: 'work' }];

    expect(
      add({ emails }, { path: 'emails', value: { value: 'a@x.org', type: 'work', display: 'Ada' } }),
    ).toMatchObject({
      emails: [{ value: 'a@x.org', display: 'Ada', type: 'work' }],
    });
  });

  it('keeps one value under two types', () => {
    const emails = [{ value: 'a@x.org', type: 'work' }];

    expect(add({ emails }, { path: 'emails', value: { value: 'a@x.org', type: 'home' } }).emails).toHaveLength(2);
  });

  it('keeps elements without a value apart unless they are equal', () => {
    const addresses = [{ locality: 'London', type: 'home' }];
    const value = [
      { type: 'home', locality: 'London' },
      { type: 'home', locality: 'Ockham' },
    ];

    expect(add({ addresses }, { path: 'addresses', value }).addresses).toEqual([
      { locality: 'London', type: 'home' },
      { locality: 'Ockham', type: 'home' },
    ]);
  });

  it('[RFC7644-3.5.2-9] takes primary from the others when a primary value is added', () => {
    const emails = [{ value: 'a@x.org', primary: true }, { value: 'b@x.org' }];

    expect(add({ emails }, { path: 'emails', value: [{ value: 'c@x.org', primary: true }] }).emails).toEqual([
      { value: 'a@x.org', primary: false },
      { value: 'b@x.org' },
      { value: 'c@x.org', primary: true },
    ]);
  });

  it('leaves primary alone when the added value is not primary', () => {
    const emails = [{ value: 'a@x.org', primary: true }];

    expect(add({ emails }, { path: 'emails', value: [{ value: 'c@x.org', primary: false }] }).emails).toEqual([
      { value: 'a@x.org', primary: true },
      { value: 'c@x.org', primary: false },
    ]);
  });

  it('[RFC7643-2.5-1] adds nothing with an empty list', () => {
    expect(add({ emails: [{ value: 'a@x.org' }] }, { path: 'emails', value: [] })).toMatchObject({
      emails: [{ value: 'a@x.org' }],
    });
  });

  it('[RFC7643-2.5-1] unassigns a single-valued attribute with null', () => {
    expect(add({ title: 'Miss' }, { path: 'title', value: null })).not.toHaveProperty('title');
  });

  it('[RFC7644-3.5.2] brings an extension with its first attribute', () => {
    expect(add({}, { path: `${ENTERPRISE}:employeeNumber`, value: '701984' })).toMatchObject({
      [ENTERPRISE]: { employeeNumber: '701984' },
    });
  });

  it('merges an extension given as a whole', () => {
    const attributes = { [ENTERPRISE]: { division: 'Engines', manager: { value: 'm1' } } };
    const value = { department: 'Notes', manager: { $ref: '../Users/m1' } };

    expect(add(attributes, { path: ENTERPRISE, value })).toMatchObject({
      [ENTERPRISE]: {
        division: 'Engines',
        department: 'Notes',
        manager: { value: 'm1', $ref: '../Users/m1' },
      },
    });
  });

  it('merges sub-attributes into the elements that a filter selects', () => {
    const emails = [
      { value: 'a@x.org', type: 'work' },
      { value: 'b@x.org', type: 'home' },
    ];
    const operation = { path: 'emails[type eq "WORK"]', value: { display: 'Ada' } };

    expect(add({ emails }, operation).emails).toEqual([
      { value: 'a@x.org', display: 'Ada', type: 'work' },
      { value: 'b@x.org', type: 'home' },
    ]);
  });

  it('[RFC7644-3.12] fails with noTarget when the filter selects no element', () => {
    expect(() => add({}, { path: 'emails[type eq "work"].value', value: 'a@x.org' })).toThrow(
      expect.objectContaining({ status: 400, scimType: 'noTarget' }),
    );
  });

  it('creates an element for a sub-attribute without a filter when there are no elements', () => {
    expect(add({}, { path: 'emails.value', value: 'a@x.org' })).toMatchObject({ emails: [{ value: 'a@x.org' }] });
  });

  it('appends to a list of simple values what it does not hold', () => {
    expect(add({ [BADGES]: { scores: [1, 2] } }, { path: `${BADGES}:scores`, value: [2, 3] })).toMatchObject({
      [BADGES]: { scores: [1, 2, 3] },
    });
  });

  it('appends to a list inside an element', () => {
    const attributes = { [BADGES]: { keys: [{ value: 'k', doors: ['front'] }] } };

    expect(add(attributes, { path: `${BADGES}:keys[value eq "k"].doors`, value: ['back', 'front'] })).toMatchObject({
      [BADGES]: { keys: [{ value: 'k', doors: ['front', 'back'] }] },
    });
  });

  it('[RFC7644-3.5.2] gives an immutable attribute its first value', () => {
    expect(add({}, { path: `${BADGES}:serial`, value: '42' })).toMatchObject({ [BADGES]: { serial: '42' } });
  });

  it.each([
    ['attribute', { [BADGES]: { serial: '41' } }, { path: `${BADGES}:serial`, value: '42' }],
    [
      'sub-attribute of an element',
      { [BADGES]: { keys: [{ value: 'k' }] } },
      { path: `${BADGES}:keys.value`, value: 'l' },
    ],
    [
      'sub-attribute of an element that is added again',
      { [BADGES]: { keys: [{ value: 'k', maker: 'Yale' }] } },
      { path: `${BADGES}:keys`, value: { value: 'k', maker: 'Abus' } },
    ],
  ])('[RFC7644-3.5.2-5] fails with mutability when an immutable %s has another value', (_, attributes, operation) => {
    expect(() => add(attributes, operation)).toThrow(expect.objectContaining({ status: 400, scimType: 'mutability' }));
  });

  it('adds the value that an immutable attribute has already', () => {
    const attributes = { [BADGES]: { serial: '42' } };

    expect(add(attributes, { path: `${BADGES}:serial`, value: '42' })).toMatchObject(attributes);
  });

  it('rejects more than 1000 values of one attribute', () => {
    const roles = Array.from({ length: 1000 }, (_, index) => ({ value: `role-${index}` }));

    expect(() => add({ roles }, { path: 'roles', value: { value: 'one more' } })).toThrow(
      expect.objectContaining({ status: 400, scimType: 'invalidValue' }),
    );
  });
});
