import { describe, expect, it } from '@jest/globals';
import type { AttributeDefinition } from '@palisade/domain';
import { createResourceSchema } from '../schema/create-resource-schema.js';
import { defineAttribute } from '../schema/define-attribute.js';
import { ENTERPRISE_USER_URN } from '../urns.js';
import { readElement, readValue } from './read-value.js';

const user = createResourceSchema('User');

function attribute(path: string): AttributeDefinition {
  const resolved = user.resolve(path);
  if (resolved === undefined) {
    throw new Error(`${path} is no attribute of a user`);
  }
  return resolved.attribute;
}

function createAttribute(overrides: Partial<AttributeDefinition>): AttributeDefinition {
  return defineAttribute({ name: 'x', description: '', ...overrides });
}

const EMAILS = attribute('emails');
const NAME = attribute('name');
const MANAGER = attribute(`${ENTERPRISE_USER_URN}:manager`);

describe(readValue.name, () => {
  it.each([
    ['title', null],
    ['title', []],
    ['name', {}],
    ['name', { givenName: null }],
    ['emails', null],
    ['emails', []],
    ['emails', [null]],
    ['emails', [{}]],
    ['emails', [{ value: null, type: [] }]],
    ['emails', {}],
  ])('[RFC7643-2.5] leaves %s unassigned by %j', (path, value) => {
    expect(readValue(attribute(path), value, path)).toBeUndefined();
  });

  it('[RFC7643-2.1] writes names as the schema does, in its order', () => {
    const value = readValue(NAME, { GIVENNAME: 'Barbara', familyname: 'Jensen' }, 'name');

    expect(JSON.stringify(value)).toBe('{"familyName":"Jensen","givenName":"Barbara"}');
  });

  it('drops sub-attributes that are null', () => {
    expect(readValue(EMAILS, [{ value: 'b@x', type: null }], 'emails')).toEqual([{ value: 'b@x' }]);
  });

  it.each([
    [{ givenName: 1 }, 'name.givenName: expected a string, found 1'],
    [{ givenName: {} }, 'name.givenName: expected a string, found an object'],
    [{ givenName: ['B'] }, 'name.givenName: expected a string, found a list of 1'],
    ['Barbara', 'name: expected an object, found "Barbara"'],
    [5, 'name: expected an object, found 5'],
    [[{ givenName: 'B' }], 'name: expected an object, found a list of 1'],
    [true, 'name: expected an object, found true'],
  ])('[RFC7643-2.3.8] rejects %j as a name', (value, detail) => {
    expect(() => readValue(NAME, value, 'name')).toThrow(
      expect.objectContaining({ status: 400, scimType: 'invalidValue', detail }),
    );
  });

  it.each(['{"nick":"B"}', '{"__proto__":{"givenName":"B"}}', '{"constructor":"B"}', '{"name.givenName":"B"}'])(
    'rejects the unknown sub-attribute in %s',
    (json) => {
      expect(() => readValue(NAME, JSON.parse(json), 'name')).toThrow(
        expect.objectContaining({ status: 400, scimType: 'invalidSyntax' }),
      );
    },
  );

  it('[RFC7643-2.1] rejects a sub-attribute that is given twice in different case', () => {
    expect(() => readValue(NAME, { givenName: 'A', GivenName: 'B' }, 'name')).toThrow(
      expect.objectContaining({ scimType: 'invalidSyntax', detail: expect.stringContaining('givenName') }),
    );
  });

  it('[RFC7643-4.3] ignores readOnly sub-attributes, whatever they hold', () => {
    expect(readValue(MANAGER, { value: 'user:scim:acme:1', displayName: 5 }, 'manager')).toEqual({
      value: 'user:scim:acme:1',
    });
  });

  it.each([['user:scim:acme:1'], [[{ value: 'user:scim:acme:1', $ref: null }]], [['user:scim:acme:1']]])(
    'accepts %j for a complex attribute that has a value',
    (value) => {
      expect(readValue(MANAGER, value, 'manager')).toEqual({ value: 'user:scim:acme:1' });
    },
  );

  it.each([[[{ value: 'a' }, { value: 'b' }]], [[[{ value: 'a' }]]], [5]])('rejects %j as a manager', (value) => {
    expect(() => readValue(MANAGER, value, 'manager')).toThrow('manager: expected an object');
  });

  it('accepts a lone object for a list', () => {
    expect(readValue(EMAILS, { value: 'b@x' }, 'emails')).toEqual([{ value: 'b@x' }]);
  });

  it('accepts a lone text for a list of texts', () => {
    expect(readValue(createAttribute({ multiValued: true }), 'a', 'x')).toEqual(['a']);
  });

  it.each([['b@x'], [['b@x']], [[5]], [[[{ value: 'b@x' }]]], [7], [true]])('rejects %j as emails', (value) => {
    expect(() => readValue(EMAILS, value, 'emails')).toThrow('emails[0]: expected an object');
  });

  it('names the element that is wrong', () => {
    expect(() => readValue(EMAILS, [{ value: 'a' }, { value: 'b', primary: 'x' }], 'emails')).toThrow(
      'emails[1].primary: expected true or false, found "x"',
    );
  });

  it('[RFC7643-2.4] rejects more than one primary value', () => {
    const values = [
      { value: 'a', primary: true },
      { value: 'b', primary: 'True' },
    ];

    expect(() => readValue(EMAILS, values, 'emails')).toThrow(expect.objectContaining({ scimType: 'invalidValue' }));
  });

  it('[RFC7643-2.4] keeps one of the elements with the same type and value', () => {
    const values = [
      { value: 'a', type: 'work', primary: true },
      { value: 'a', type: 'home' },
      { value: 'a', type: 'work' },
    ];

    expect(readValue(EMAILS, values, 'emails')).toEqual([
      { value: 'a', type: 'work', primary: true },
      { value: 'a', type: 'home' },
    ]);
  });

  it('keeps addresses of one type, as they have no value', () => {
    const addresses = [
      { type: 'work', locality: 'Wien' },
      { type: 'work', locality: 'Graz' },
    ];

    expect(readValue(attribute('addresses'), addresses, 'addresses')).toEqual(addresses);
  });

  it('drops repeated texts of a list', () => {
    expect(readValue(createAttribute({ multiValued: true }), ['a', 'b', 'a'], 'x')).toEqual(['a', 'b']);
  });

  it('accepts 1000 values and rejects 1001', () => {
    const values = Array.from({ length: 1001 }, (_, index) => ({ value: `${index}@x` }));

    expect(readValue(EMAILS, values.slice(1), 'emails')).toHaveLength(1000);
    expect(() => readValue(EMAILS, values, 'emails')).toThrow('emails: expected at most 1000 values');
  });

  it('drops sub-attributes that are never returned', () => {
    const secret = createAttribute({ name: 'secret', mutability: 'writeOnly', returned: 'never' });
    const complex = createAttribute({ type: 'complex', subAttributes: [createAttribute({ name: 'label' }), secret] });

    expect(readValue(complex, { label: 'a', secret: 'b' }, 'x')).toEqual({ label: 'a' });
  });

  it('makes no property from a hostile name', () => {
    const value = readValue(EMAILS, [JSON.parse('{"value":"a"}')], 'emails');

    expect(Object.getPrototypeOf(Array.isArray(value) ? value[0] : undefined)).toBe(Object.prototype);
    expect(Object.hasOwn(Object.prototype, 'value')).toBe(false);
  });
});

describe(readElement.name, () => {
  it('reads one element of a list', () => {
    expect(readElement(EMAILS, { VALUE: 'a', primary: 'false' }, 'emails')).toEqual({ value: 'a', primary: false });
  });

  it('rejects a list', () => {
    expect(() => readElement(EMAILS, [{ value: 'a' }], 'emails')).toThrow('emails: expected an object');
  });
});
