import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { JsonValue } from '@palisade/domain';
import { ScimError } from '../scim.errors.js';
import { createResourceSchema } from './create-resource-schema.js';
import { validateExtension } from './validate-extension.js';

const BADGE = { name: 'badge' };

function createInput(schema: object = {}, extension: object = {}): unknown {
  return {
    resourceType: 'User',
    schema: { id: 'urn:acme:2.0:HR', name: 'HR', attributes: [BADGE], ...schema },
    ...extension,
  };
}

function createAttribute(attribute: object): unknown {
  return createInput({ attributes: [{ name: 'badge', ...attribute }] });
}

function createList(count: number): object[] {
  return Array.from({ length: count }, (_, index) => ({ name: `a${index}` }));
}

describe(validateExtension.name, () => {
  it('[RFC7643-2.2] gives absent characteristics their defaults', () => {
    expect(validateExtension(createInput())).toEqual({
      resourceType: 'User',
      required: false,
      schema: {
        id: 'urn:acme:2.0:HR',
        name: 'HR',
        description: 'HR',
        attributes: [
          {
            name: 'badge',
            description: 'badge',
            type: 'string',
            multiValued: false,
            required: false,
            caseExact: false,
            mutability: 'readWrite',
            returned: 'default',
            uniqueness: 'none',
          },
        ],
      },
    });
  });

  it('keeps the characteristics that are given', () => {
    const attribute = {
      name: 'grade',
      description: 'Pay grade.',
      type: 'string',
      multiValued: true,
      required: true,
      canonicalValues: ['A', 'B'],
      caseExact: true,
      mutability: 'immutable',
      returned: 'request',
      uniqueness: 'none',
    };

    expect(validateExtension(createInput({ attributes: [attribute] })).schema.attributes).toEqual([attribute]);
  });

  it('accepts complex attributes with a $ref', () => {
    const subAttributes = [{ name: '$ref', type: 'reference', referenceTypes: ['User'] }, { name: 'value' }];
    const extension = validateExtension(createAttribute({ type: 'complex', subAttributes }));

    expect(extension.schema.attributes[0]?.subAttributes?.map(({ name }) => name)).toEqual(['$ref', 'value']);
  });

  it('gives a schema that paths resolve against', () => {
    const schema = createResourceSchema('User', [validateExtension(createInput())]);

    expect(schema.resolve('urn:acme:2.0:hr:BADGE')?.path).toEqual(['urn:acme:2.0:HR', 'badge']);
  });

  it('[RFC7643-2.3.7] makes references case exact whatever is given', () => {
    const extension = validateExtension(createAttribute({ type: 'reference', caseExact: false }));

    expect(extension.schema.attributes[0]?.caseExact).toBe(true);
  });

  it.each([
    ['no object', null, 'extension: expected an object, found nothing'],
    ['a list', [], 'extension: expected an object, found a list of 0'],
    ['an unknown key', createInput({}, { color: 1 }), 'found "color"'],
    ['__proto__', JSON.parse('{"resourceType":"User","schema":{},"__proto__":{}}'), 'found "__proto__"'],
    ['no resource type', createInput({}, { resourceType: undefined }), 'extension.resourceType'],
    ['another resource type', createInput({}, { resourceType: 'Device' }), 'expected "User" or "Group"'],
    ['a flag as text', createInput({}, { required: 'true' }), 'extension.required: expected true or false'],
    ['a null flag', createInput({}, { required: null }), 'extension.required'],
    ['no schema', { resourceType: 'User' }, 'extension.schema: expected an object'],
    ['an unknown schema key', createInput({ meta: {} }), 'extension.schema: expected only the keys'],
    ['no name', createInput({ name: undefined }), 'extension.schema.name'],
    ['NUL in the name', createInput({ name: 'a\0' }), 'extension.schema.name'],
    ['a lone surrogate', createInput({ description: '\ud800' }), 'extension.schema.description'],
    ['no attributes', createInput({ attributes: [] }), 'extension.schema.attributes: expected a list of 1 to 100'],
    ['101 attributes', createInput({ attributes: createList(101) }), 'found a list of 101'],
    ['a null attribute', createInput({ attributes: [BADGE, null] }), 'extension.schema.attributes[1]'],
    ['a name twice', createInput({ attributes: [BADGE, { name: 'BADGE' }] }), 'attributes[1].name'],
  ])('rejects %s', (_, input, message) => {
    expect(() => validateExtension(input)).toThrow(message);
  });

  it.each([
    'acme:hr',
    'urn:acme',
    'urn::hr',
    'urn:acme:',
    'urn:acme::hr',
    'urn:acme:h r',
    'urn:acme:hr[x]',
    'urn:acme:ünicode',
    'http://acme.example/hr',
    `urn:acme:${'x'.repeat(200)}`,
    42,
    null,
  ])('rejects %j as a URN', (id) => {
    expect(() => validateExtension(createInput({ id }))).toThrow('extension.schema.id: expected a URN');
  });

  it.each([
    'urn:ietf:params:scim:schemas:core:2.0:User',
    'URN:IETF:params:scim:schemas:CORE:2.0:Printer',
    'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
    'urn:ietf:params:scim:api:messages:2.0:Error',
  ])('[RFC7643-10.3] rejects the reserved URN %s', (id) => {
    expect(() => validateExtension(createInput({ id }))).toThrow('not reserved');
  });

  it('accepts the form of URN that Entra ID recommends', () => {
    const id = 'urn:ietf:params:scim:schemas:extension:CustomExtensionName:2.0:User';

    expect(validateExtension(createInput({ id })).schema.id).toBe(id);
  });

  it.each(['a', 'Badge', 'a-b_c$1', '$ref', 'a'.repeat(100)])('[RFC7643-2.1] accepts the name %s', (name) => {
    expect(validateExtension(createInput({ attributes: [{ name }] })).schema.attributes[0]?.name).toBe(name);
  });

  it.each(['', '1a', '$reference', '_a', '__proto__', 'a.b', 'a b', 'a:b', 'naïve', 'a'.repeat(101), 7, null, {}])(
    '[RFC7643-2.1] rejects the name %j',
    (name) => {
      expect(() => validateExtension(createInput({ attributes: [{ name }] }))).toThrow('attributes[0].name');
    },
  );

  it.each(['constructor', 'toString', 'hasOwnProperty', 'valueOf'])('rejects the name %s', (name) => {
    expect(() => validateExtension(createInput({ attributes: [{ name }] }))).toThrow('JavaScript objects');
  });

  it.each([
    ['an unknown type', { type: 'date' }, '.type: expected "string"'],
    ['a null type', { type: null }, '.type'],
    ['another uniqueness', { uniqueness: 'server' }, '.uniqueness: expected "none"'],
    ['an unknown characteristic', { color: 'red' }, 'found "color"'],
    ['a complex attribute without sub-attributes', { type: 'complex' }, '.subAttributes: expected a list of 1 to 50'],
    ['51 sub-attributes', { type: 'complex', subAttributes: createList(51) }, 'found a list of 51'],
    ['sub-attributes of a string', { subAttributes: [BADGE] }, '.subAttributes: expected nothing'],
    ['canonical values of a boolean', { type: 'boolean', canonicalValues: [] }, '.canonicalValues'],
    ['canonical values that are no texts', { canonicalValues: [1] }, '.canonicalValues[0]'],
    ['reference types of a string', { referenceTypes: ['User'] }, '.referenceTypes'],
    ['a returned writeOnly attribute', { mutability: 'writeOnly' }, '.returned: expected "never"'],
    ['a required readOnly attribute', { mutability: 'readOnly', required: true }, '.required'],
    ['a required attribute that is never returned', { returned: 'never', required: true }, '.required'],
  ])('rejects %s', (_, attribute, message) => {
    expect(() => validateExtension(createAttribute(attribute))).toThrow(message);
  });

  it('[RFC7643-2.3.8] rejects complex attributes inside complex ones', () => {
    const inner = { name: 'inner', type: 'complex', subAttributes: [BADGE] };

    expect(() => validateExtension(createAttribute({ type: 'complex', subAttributes: [inner] }))).toThrow(
      'extension.schema.attributes[0].subAttributes[0].type',
    );
  });

  it('accepts 100 attributes with 50 sub-attributes each', () => {
    const attributes = createList(100).map((attribute) =>
      Object.assign(attribute, { type: 'complex', subAttributes: createList(50) }),
    );

    expect(validateExtension(createInput({ attributes })).schema.attributes).toHaveLength(100);
  });

  it('throws nothing but ScimError, whatever it is given', () => {
    const attributes = fc.array(fc.dictionary(fc.constantFrom('name', 'type', 'required', 'x'), fc.jsonValue()));
    const schema = fc.record({ id: fc.constantFrom('urn:a:b', 'x'), name: fc.string(), attributes });
    const inputs = fc.oneof(fc.jsonValue(), fc.record({ resourceType: fc.constantFrom('User', 'Group'), schema }));
    fc.assert(
      fc.property(inputs, (input) => {
        const error = rejection(input as JsonValue);
        expect(error === undefined || error instanceof ScimError).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});

function rejection(input: JsonValue): unknown {
  try {
    validateExtension(input);
    return undefined;
  } catch (error) {
    return error;
  }
}
