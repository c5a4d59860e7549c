import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { AttributeDefinition } from '@palisade/domain';
import { ScimError } from '../scim.errors.js';
import { createResourceSchema } from '../schema/create-resource-schema.js';
import { validateExtension } from '../schema/validate-extension.js';
import { ENTERPRISE_USER_URN, GROUP_URN, USER_URN } from '../urns.js';
import { readResource, withDefaults, type ReadOptions, type ResourceInput } from './read-resource.js';
import { runs } from '../../../../test/support/effort.js';

const ENTRA_GROUP_URN = 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group';

const hr = validateExtension({
  resourceType: 'User',
  required: true,
  schema: {
    id: 'urn:acme:hr',
    name: 'HR',
    attributes: [
      { name: 'badge', required: true },
      { name: 'pin', mutability: 'writeOnly', returned: 'never' },
    ],
  },
});
const user = createResourceSchema('User');
const group = createResourceSchema('Group');
const employee = createResourceSchema('User', [hr]);

function readUser(body: unknown, options: Partial<ReadOptions> = {}, schema = user): ResourceInput {
  return readResource(body, schema, { requireAll: false, ...options });
}

function readGroup(body: unknown, options: Partial<ReadOptions> = {}): ResourceInput {
  return readResource(body, group, { requireAll: false, ...options });
}

function rejection(scimType: string, detail: string): unknown {
  return expect.objectContaining({ status: 400, scimType, detail: expect.stringContaining(detail) });
}

describe(readResource.name, () => {
  it.each([null, undefined, 'text', 5, true, [], [{ userName: 'a' }]])('rejects %j as a body', (body) => {
    expect(() => readUser(body)).toThrow(rejection('invalidSyntax', 'expected a JSON object'));
  });

  it('[RFC7643-2.1] writes names as the schema does, in its order, with extensions under their URN', () => {
    const body = {
      [ENTERPRISE_USER_URN.toUpperCase()]: { DEPARTMENT: 'R&D' },
      TITLE: 'Dr.',
      USERNAME: 'Babs',
      active: 'False',
    };

    expect(JSON.stringify(readUser(body).attributes)).toBe(
      `{"userName":"Babs","title":"Dr.","active":false,"${ENTERPRISE_USER_URN}":{"department":"R&D"}}`,
    );
  });

  it('[RFC7644-3.3] ignores readOnly attributes, whatever they hold', () => {
    const body = { userName: 'a', id: 5, meta: 'x', groups: [{ value: 1, unknown: true }] };

    expect(readUser(body)).toEqual({ attributes: { userName: 'a' }, cleared: [] });
  });

  it.each([
    '{"userName":"a","nickname2":"b"}',
    '{"__proto__":{"userName":"a"}}',
    '{"constructor":{"prototype":{"polluted":true}}}',
    '{"toString":"a"}',
    '{"name.givenName":"a"}',
    `{"${USER_URN}:userName":"a"}`,
    '{"department":"a"}',
    '{"members":[]}',
    '{"urn:unknown":{}}',
    '{"":1}',
  ])('rejects the unknown attribute in %s', (json) => {
    expect(() => readUser(JSON.parse(json))).toThrow(rejection('invalidSyntax', 'User: expected attributes'));
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  it('names the unknown attribute, of a long name the beginning', () => {
    expect(() => readUser({ color: 1 })).toThrow(rejection('invalidSyntax', 'found "color"'));
    expect(() => readUser({ ['x'.repeat(100_000)]: 1 })).toThrow(rejection('invalidSyntax', 'xxx…"'));
  });

  it('[RFC7643-3.3] rejects an unknown attribute in an extension', () => {
    expect(() => readUser({ [ENTERPRISE_USER_URN]: { userName: 'a' } })).toThrow(
      rejection('invalidSyntax', ENTERPRISE_USER_URN),
    );
  });

  it('[RFC7643-2.1] rejects an attribute that is given twice in different case', () => {
    expect(() => readUser({ userName: 'a', username: 'b' })).toThrow(rejection('invalidSyntax', 'userName'));
  });

  it('[RFC7643-2.5] tells what was cleared from what was not mentioned', () => {
    const body = {
      userName: 'a',
      title: null,
      emails: [],
      name: { givenName: null },
      [ENTERPRISE_USER_URN]: { department: null, division: 'x' },
    };

    expect(readUser(body)).toEqual({
      attributes: { userName: 'a', [ENTERPRISE_USER_URN]: { division: 'x' } },
      cleared: [['name'], ['title'], ['emails'], [ENTERPRISE_USER_URN, 'department']],
    });
  });

  it('clears an extension as a whole when it is null', () => {
    expect(readUser({ [ENTERPRISE_USER_URN]: null }).cleared).toEqual([[ENTERPRISE_USER_URN]]);
  });

  it('takes an empty extension for no statement', () => {
    expect(readUser({ [ENTERPRISE_USER_URN]: {} })).toEqual({ attributes: {}, cleared: [] });
  });

  it.each(['text', 5, [{ department: 'x' }], true])('rejects %j as an extension', (data) => {
    expect(() => readUser({ [ENTERPRISE_USER_URN]: data })).toThrow(rejection('invalidValue', 'expected an object'));
  });

  it('takes properties that are undefined for absent', () => {
    expect(readUser({ userName: 'a', title: undefined })).toEqual({ attributes: { userName: 'a' }, cleared: [] });
  });

  it('drops a password after having validated it', () => {
    expect(readUser({ userName: 'a', password: 's3cret' })).toEqual({ attributes: { userName: 'a' }, cleared: [] });
    expect(() => readUser({ userName: 'a', password: 5 })).toThrow(rejection('invalidValue', 'password'));
  });

  it('drops whatever an extension never returns', () => {
    const { attributes } = readUser({ 'urn:acme:hr': { badge: '1', pin: '0000' } }, {}, employee);

    expect(attributes).toEqual({ 'urn:acme:hr': { badge: '1' } });
  });

  it.each([
    [{ externalId: 'e:1' }, 'e:1'],
    [{ EXTERNALID: null }, null],
    [{}, undefined],
  ])('[RFC7643-3.1] reads the externalId of %j', (body, expected) => {
    expect(readUser(body).externalId).toBe(expected);
  });

  it.each(['', 'a\u0007', 'x'.repeat(256), 5, {}, ['a']])('rejects %j as an externalId', (externalId) => {
    expect(() => readUser({ externalId })).toThrow(rejection('invalidValue', 'externalId'));
  });

  describe('required attributes', () => {
    it.each([{}, { userName: null }, { userName: '' }, { userName: ' \t' }, { userName: [] }])(
      '[RFC7643-4.1.1] rejects the user %j',
      (body) => {
        expect(() => readUser(body, { requireAll: true })).toThrow(rejection('invalidValue', 'userName'));
      },
    );

    it('[RFC7643-4.2] rejects a group without displayName', () => {
      expect(() => readGroup({}, { requireAll: true })).toThrow(rejection('invalidValue', 'displayName'));
    });

    it('may be absent unless they are demanded', () => {
      expect(readUser({})).toEqual({ attributes: {}, cleared: [] });
    });

    it('[RFC7643-6] demands a required extension', () => {
      expect(() => readUser({ userName: 'a' }, { requireAll: true }, employee)).toThrow(
        rejection('invalidValue', 'urn:acme:hr'),
      );
    });

    it('[RFC7643-6] demands the required attributes of an extension that is used', () => {
      const body = { userName: 'a', 'urn:acme:hr': { badge: ' ' } };

      expect(() => readUser(body, { requireAll: true }, employee)).toThrow(
        rejection('invalidValue', 'urn:acme:hr:badge: expected a value'),
      );
    });
  });

  describe('schemas', () => {
    it.each([{ userName: 'a' }, { userName: 'a', schemas: null }])('[RFC7643-3] are demanded of %j', (body) => {
      expect(() => readUser(body, { requireSchemas: true })).toThrow(rejection('invalidValue', 'schemas'));
    });

    it('may be absent unless they are demanded', () => {
      expect(readUser({ userName: 'a' }).attributes).toEqual({ userName: 'a' });
    });

    it.each([USER_URN, {}, 5, [5], [USER_URN, null], [[USER_URN]]])('[RFC7643-3] are not %j', (schemas) => {
      expect(() => readUser({ schemas })).toThrow(rejection('invalidSyntax', 'schemas'));
    });

    it('are at most 100', () => {
      const schemas = Array.from({ length: 101 }, () => USER_URN);

      expect(() => readUser({ schemas })).toThrow(rejection('invalidSyntax', 'at most 100'));
    });

    it.each([[[]], [[ENTERPRISE_USER_URN]], [[GROUP_URN]]])(
      '[RFC7643-3.3] hold the core schema, unlike %j',
      (schemas) => {
        expect(() => readUser({ schemas })).toThrow(rejection('invalidValue', USER_URN));
      },
    );

    it('are matched without regard to case', () => {
      expect(readUser({ schemas: [USER_URN.toLowerCase()], userName: 'a' }).attributes).toEqual({ userName: 'a' });
    });

    it('[RFC7643-3] of a user are those of the resource type', () => {
      expect(() => readUser({ schemas: [USER_URN, 'urn:x:y'] })).toThrow(rejection('invalidValue', '"urn:x:y"'));
    });

    it('of a group may be unknown: their data is dropped', () => {
      const body = {
        schemas: [GROUP_URN, ENTRA_GROUP_URN],
        displayName: 'g',
        [ENTRA_GROUP_URN.toUpperCase()]: { a: 1 },
      };

      expect(readGroup(body)).toEqual({ attributes: { displayName: 'g' }, cleared: [] });
    });

    it('of a group do not excuse other unknown attributes', () => {
      const body = { schemas: [GROUP_URN, ENTRA_GROUP_URN], displayName: 'g', 'urn:other': {} };

      expect(() => readGroup(body)).toThrow(rejection('invalidSyntax', '"urn:other"'));
    });
  });

  describe('members', () => {
    const id = 'user:scim:acme:1';

    it('[RFC7643-4.2] are read as ids, each once, in order', () => {
      const members = [
        { value: 'group:scim:acme:g', type: 'Group' },
        { value: id, $ref: null, display: 'x' },
        { value: id },
      ];

      expect(readGroup({ displayName: 'g', members })).toEqual({
        attributes: { displayName: 'g' },
        cleared: [],
        members: ['group:scim:acme:g', id],
      });
    });

    it.each([null, [], undefined])('are cleared or not mentioned by %j', (members) => {
      expect(readGroup({ members }).members).toEqual(members === undefined ? undefined : []);
    });

    it('may be a lone object', () => {
      expect(readGroup({ members: { value: id } }).members).toEqual([id]);
    });

    it.each([
      [{ value: '1' }],
      [{ value: 'user:scim:Not A Label:1' }],
      [{ value: 'user:scim:acme:' }],
      [{ value: 'user:scim:acme:a\0' }],
      [{ value: 5 }],
      [{ value: null }],
      [{}],
      [null],
      [id],
      [[{ value: id }]],
    ])('[RFC7643-4.2] are rejected when one is %j', (member) => {
      expect(() => readGroup({ members: [{ value: id }, member] })).toThrow(rejection('invalidValue', 'members[1]'));
    });

    it('are rejected with an unknown sub-attribute', () => {
      expect(() => readGroup({ members: [JSON.parse(`{"value":"${id}","__proto__":{}}`)] })).toThrow(
        rejection('invalidSyntax', 'members[0]'),
      );
    });

    it('are rejected beyond 200000, before any is looked at', () => {
      const members = Array.from({ length: 200_001 }, () => null);

      expect(() => readGroup({ members })).toThrow(rejection('invalidValue', 'at most 200000 members'));
    });
  });

  it('throws nothing but ScimError on arbitrary JSON, and lets nothing null or empty through', () => {
    const bodies = fc.oneof(fc.dictionary(attributeName, hostileValue), hostileValue);
    fc.assert(
      fc.property(bodies, fc.constantFrom(user, group), (body, schema) => {
        const outcome = attempt(() => readResource(body, schema, { requireAll: false }));
        expect(outcome instanceof ScimError || isFilled((outcome as ResourceInput).attributes)).toBe(true);
      }),
      { numRuns: runs(300) },
    );
  });

  it('accepts what the schema allows, with null anywhere in it, and lets nothing null or empty through', () => {
    fc.assert(
      fc.property(
        fc.record(Object.fromEntries(user.core.attributes.map(sensibleEntry)), { requiredKeys: [] }),
        (body) => {
          const { attributes, cleared } = readUser(body);
          expect(isFilled(attributes)).toBe(true);
          expect(
            new Set(Object.keys(body)).isSupersetOf(new Set([...Object.keys(attributes), ...cleared.flat()])),
          ).toBe(true);
        },
      ),
      { numRuns: runs(100) },
    );
  });
});

describe(withDefaults.name, () => {
  it('[RFC7644-3.3] makes a user active, in the order of the schema', () => {
    const input = readUser({ userName: 'a', emails: [{ value: 'a@x' }] });

    expect(Object.entries(withDefaults(input, user).attributes)).toEqual([
      ['userName', 'a'],
      ['active', true],
      ['emails', [{ value: 'a@x' }]],
    ]);
  });

  it('leaves an inactive user inactive', () => {
    expect(withDefaults(readUser({ active: false }), user).attributes).toEqual({ active: false });
  });

  it('gives groups nothing', () => {
    expect(withDefaults(readGroup({ displayName: 'g' }), group).attributes).toEqual({ displayName: 'g' });
  });
});

function attempt(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}

const definitions = [...user.attributes, ...user.attributes.flatMap(({ subAttributes = [] }) => subAttributes)];
const attributeName = fc.constantFrom(...definitions.map(({ name }) => name));
const { hostileValue } = fc.letrec((tie) => ({
  hostileValue: fc.oneof({ depthSize: 'small' }, fc.jsonValue(), tie('list'), tie('object')),
  list: fc.array(tie('hostileValue'), { maxLength: 4 }),
  object: fc.dictionary(fc.oneof(attributeName, fc.string()), tie('hostileValue'), { maxKeys: 5 }),
}));

function sensibleEntry(attribute: AttributeDefinition): [string, fc.Arbitrary<unknown>] {
  const value = sensibleValue(attribute);
  return [attribute.name, fc.option(attribute.multiValued ? fc.array(fc.option(value)) : value)];
}

function sensibleValue({ type, subAttributes = [] }: AttributeDefinition): fc.Arbitrary<unknown> {
  switch (type) {
    case 'complex':
      return fc.record(Object.fromEntries(subAttributes.map(sensibleEntry)), { requiredKeys: [] });
    case 'boolean':
      // True would be too often primary.
      return fc.constantFrom(false, 'False');
    case 'binary':
      return fc.base64String();
    case 'reference':
      return fc.webUrl();
    default:
      return fc.string({ unit: 'grapheme', maxLength: 20 });
  }
}

/** Whether there is neither null nor anything empty in a value. */
function isFilled(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) {
    return value !== null && value !== undefined;
  }
  const parts = Object.values(value);
  return parts.every((part) => isFilled(part) && (typeof part !== 'object' || Object.keys(part).length > 0));
}
