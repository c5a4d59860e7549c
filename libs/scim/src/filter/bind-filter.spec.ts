import { describe, expect, it } from '@jest/globals';
import type { Filter } from '@palisade/domain';
import * as fc from 'fast-check';
import { ScimError } from '../scim.errors.js';
import { defineAttribute } from '../schema/define-attribute.js';
import { ResourceSchema } from '../schema/resource-schema.js';
import { bindElementFilter, bindFilter, type BindFilterOptions } from './bind-filter.js';
import { matches } from './matches.js';
import { parseFilter } from './parse-filter.js';

const CORE_URN = 'urn:ietf:params:scim:schemas:core:2.0:User';
const ENTERPRISE_URN = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

const EMAILS = defineAttribute({
  name: 'emails',
  description: '',
  type: 'complex',
  multiValued: true,
  subAttributes: [
    defineAttribute({ name: 'value', description: '' }),
    defineAttribute({ name: 'type', description: '' }),
    defineAttribute({ name: 'primary', description: '', type: 'boolean' }),
    defineAttribute({ name: '$ref', description: '', type: 'reference' }),
  ],
});

const SCHEMA = new ResourceSchema(
  'User',
  {
    id: CORE_URN,
    name: 'User',
    description: '',
    attributes: [
      defineAttribute({ name: 'userName', description: '' }),
      defineAttribute({ name: 'active', description: '', type: 'boolean' }),
      defineAttribute({ name: 'password', description: '', mutability: 'writeOnly', returned: 'never' }),
      defineAttribute({ name: 'tags', description: '', multiValued: true }),
      defineAttribute({
        name: 'name',
        description: '',
        type: 'complex',
        subAttributes: [defineAttribute({ name: 'givenName', description: '' })],
      }),
      EMAILS,
    ],
  },
  [
    {
      required: false,
      schema: {
        id: ENTERPRISE_URN,
        name: 'EnterpriseUser',
        description: '',
        attributes: [
          defineAttribute({ name: 'department', description: '' }),
          defineAttribute({
            name: 'manager',
            description: '',
            type: 'complex',
            subAttributes: [defineAttribute({ name: 'value', description: '', caseExact: true })],
          }),
        ],
      },
    },
  ],
);

const ALWAYS: Filter = { kind: 'and', operands: [] };
const NEVER: Filter = { kind: 'or', operands: [] };

function bound(text: string, options?: BindFilterOptions): Filter {
  return bindFilter(parseFilter(text), SCHEMA, options);
}

function errorOf(action: () => unknown): unknown {
  try {
    action();
    return undefined;
  } catch (error) {
    return error;
  }
}

describe(bindFilter.name, () => {
  it('gives a comparison its canonical path, its type and the folded value', () => {
    expect(bound('USERNAME eq "BJensen"')).toEqual({
      kind: 'compare',
      attribute: { path: ['userName'], type: 'string', multiValued: false },
      operator: 'eq',
      value: 'bjensen',
    });
  });

  it.each([
    ['name.givenname eq "x"', ['name', 'givenName']],
    [`${CORE_URN}:userName eq "x"`, ['userName']],
    [`${CORE_URN.toUpperCase()}:Name.GivenName eq "x"`, ['name', 'givenName']],
    [`${ENTERPRISE_URN}:department eq "x"`, [ENTERPRISE_URN, 'department']],
    [`${ENTERPRISE_URN}:manager.value eq "x"`, [ENTERPRISE_URN, 'manager', 'value']],
    ['manager.value eq "x"', [ENTERPRISE_URN, 'manager', 'value']],
    ['meta.resourceType eq "User"', ['meta', 'resourceType']],
    ['id eq "x"', ['id']],
  ])('[RFC7644-3.10] resolves the names in %s without regard to case', (text, path) => {
    expect(bound(text)).toMatchObject({ attribute: { path } });
  });

  it('marks a reference through a list as multi-valued', () => {
    expect(bound('emails.type eq "work"')).toMatchObject({
      attribute: { path: ['emails', 'type'], multiValued: true },
    });
  });

  it.each([
    ['emails co "x"', ['emails', 'value']],
    [`${ENTERPRISE_URN}:manager eq "x"`, [ENTERPRISE_URN, 'manager', 'value']],
  ])('[RFC7644-3.4.2.2] takes the value of a complex attribute: %s', (text, path) => {
    expect(bound(text)).toMatchObject({ kind: 'compare', attribute: { path, type: 'string' } });
  });

  it('takes an extension as present when any of its attributes is', () => {
    expect(bound(`${ENTERPRISE_URN} pr`)).toEqual({
      kind: 'present',
      attribute: { path: [ENTERPRISE_URN], type: 'complex', multiValued: false },
    });
  });

  it('[RFC7643-2.5] takes eq null as not present and ne null as present', () => {
    const present: Filter = { kind: 'present', attribute: { path: ['emails'], type: 'complex', multiValued: true } };
    expect(bound('emails eq null')).toEqual({ kind: 'not', operand: present });
    expect(bound('emails ne null')).toEqual(present);
  });

  it('keeps and, or and not as they are', () => {
    expect(bound('not (userName pr) or active eq true and id pr')).toMatchObject({
      kind: 'or',
      operands: [
        { kind: 'not', operand: { kind: 'present' } },
        { kind: 'and', operands: [{ value: true }, {}] },
      ],
    });
  });

  it('starts the references inside a value path at the element', () => {
    expect(bound('emails[Type eq "Work" and primary eq "True"]')).toEqual({
      kind: 'element',
      attribute: { path: ['emails'], type: 'complex', multiValued: true },
      filter: {
        kind: 'and',
        operands: [
          {
            kind: 'compare',
            attribute: { path: ['type'], type: 'string', multiValued: false },
            operator: 'eq',
            value: 'work',
          },
          {
            kind: 'compare',
            attribute: { path: ['primary'], type: 'boolean', multiValued: false },
            operator: 'eq',
            value: true,
          },
        ],
      },
    });
  });

  it('accepts a value path on a single complex attribute and on an extension', () => {
    expect(bound('name[givenName eq "x"]')).toMatchObject({ attribute: { path: ['name'], multiValued: false } });
    expect(bound(`${ENTERPRISE_URN}[manager.value eq "x"]`)).toMatchObject({
      attribute: { path: [ENTERPRISE_URN] },
      filter: { attribute: { path: ['manager', 'value'] } },
    });
  });

  it.each([
    ['unknown eq "x"', 'filter: "unknown" at offset 0: expected an attribute of User'],
    ['id pr and (name.unknown pr)', 'filter: "name.unknown" at offset 11: expected an attribute of User'],
    [
      'urn:example:other:userName pr',
      'filter: "urn:example:other:userName" at offset 0: expected an attribute of User',
    ],
    ['emails[unknown pr]', 'filter: "unknown" at offset 7: expected a sub-attribute of emails'],
    ['emails[emails.type pr]', 'filter: "emails.type" at offset 7: expected a sub-attribute of emails'],
    [
      `${ENTERPRISE_URN}[manager.value.x pr]`,
      `filter: expected an attribute path, "not" or "(", found "manager.value.x" at offset 59`,
    ],
    ['constructor pr', 'filter: "constructor" at offset 0: expected an attribute of User'],
    ['name eq "x"', 'filter: "name" at offset 0: expected one of its sub-attributes'],
    [`${ENTERPRISE_URN} eq "x"`, `filter: "${ENTERPRISE_URN}" at offset 0: expected one of its sub-attributes`],
    ['userName[value eq "x"]', 'filter: "userName" at offset 0: expected a complex attribute before "["'],
    ['tags[value eq "x"]', 'filter: "tags" at offset 0: expected a complex attribute before "["'],
    ['userName gt null', 'filter: expected eq or ne with null, found "gt" at offset 12'],
    ['active gt true', 'filter: expected one of eq, ne for boolean attribute active, found "gt" at offset 0'],
    ['userName eq 1', 'filter: expected a string for userName, found 1 at offset 12'],
    ['schemas co "urn:x"', 'filter: expected eq or ne with "schemas", found "co" at offset 0'],
    ['schemas eq 1', 'filter: expected a string for schemas, found 1 at offset 11'],
    ['meta.location pr', 'filter: "meta.location" at offset 0: this attribute is derived and cannot be searched by'],
    ['meta[version eq "x"]', 'filter: "version" at offset 5: this attribute is derived and cannot be searched by'],
    ['meta.version eq null', 'filter: "meta.version" at offset 0: this attribute is derived and cannot be searched by'],
    ['emails.$ref pr', 'filter: "emails.$ref" at offset 0: this attribute is derived and cannot be searched by'],
    ['emails[$ref pr]', 'filter: "$ref" at offset 7: this attribute is derived and cannot be searched by'],
  ])('[RFC7644-3.12] rejects %s with invalidFilter', (text, detail) => {
    expect(() => bound(text)).toThrow(new ScimError(400, 'invalidFilter', detail));
    expect(errorOf(() => bound(text))).toMatchObject({ status: 400, scimType: 'invalidFilter' });
  });

  it.each(['password eq "x"', 'password pr', 'password ne null', `id pr or not (${CORE_URN}:PassWord sw "a")`])(
    '[RFC7644-7.5.2] rejects %s with 403 sensitive',
    (text) => {
      expect(errorOf(() => bound(text))).toMatchObject({ status: 403, scimType: 'sensitive' });
    },
  );

  it('rejects a value path inside a value path, whoever built the expression', () => {
    const inner = parseFilter('emails[type pr]');
    const outer = { kind: 'valuePath', path: 'emails', pathOffset: 0, filter: inner } as const;
    expect(errorOf(() => bindFilter(outer, SCHEMA))).toMatchObject({ status: 400, scimType: 'invalidFilter' });
  });

  it('names a very long attribute in part', () => {
    const error = errorOf(() => bound(`${'a'.repeat(8000)} pr`));
    expect(error).toMatchObject({ detail: `filter: "${'a'.repeat(200)}" at offset 0: expected an attribute of User` });
  });

  it.each([
    ['unknown pr', NEVER],
    ['unknown eq "x"', NEVER],
    ['unknown gt 1', NEVER],
    ['unknown ne "x"', ALWAYS],
    ['unknown ne null', NEVER],
    ['unknown eq null', { kind: 'not', operand: NEVER }],
    ['unknown[type eq "x"]', NEVER],
  ])('takes an unknown attribute as one without a value when asked to: %s', (text, filter) => {
    expect(bound(text, { unknownAttributes: 'absent' })).toEqual(filter);
  });

  it('[RFC7644-3.4.2.1] takes as without a value just those unknown attributes that it is told', () => {
    const options: BindFilterOptions = { isAbsentAttribute: (path) => ['members', 'emails.members'].includes(path) };
    expect(bound('members eq "x"', options)).toEqual(NEVER);
    expect(bound('emails[members pr]', options)).toMatchObject({ filter: NEVER });
    expect(errorOf(() => bound('unknown pr', options))).toMatchObject({ status: 400 });
    expect(errorOf(() => bound('name[members pr]', options))).toMatchObject({ status: 400 });
  });

  it('rejects null with an order, and what is sensitive, even when unknown attributes are accepted', () => {
    const options = { unknownAttributes: 'absent' } as const;
    expect(errorOf(() => bound('unknown gt null', options))).toMatchObject({ status: 400 });
    expect(errorOf(() => bound('password pr', options))).toMatchObject({ status: 403 });
  });

  it('gives a filter that finds what was asked for', () => {
    const document = {
      id: 'user:scim:p:1',
      userName: 'bjensen',
      meta: { lastModified: '2011-05-13T04:42:34.000Z' },
      emails: [{ value: 'bjensen@example.com', type: 'work', primary: true }],
      [ENTERPRISE_URN]: { department: 'tour operations' },
    };
    expect(matches(bound('userName sw "BJ" and emails[type eq "WORK" and value ew ".COM"]'), document)).toBe(true);
    expect(matches(bound('emails[type eq "work"].value eq "BJensen@example.com"'), document)).toBe(true);
    expect(matches(bound('emails[type eq "home"].value eq "BJensen@example.com"'), document)).toBe(false);
    expect(matches(bound(`${ENTERPRISE_URN}:department co "OPERATIONS"`), document)).toBe(true);
    expect(matches(bound('meta.lastModified ge "2011-05-13T06:42:34+02:00"'), document)).toBe(true);
    expect(matches(bound('meta.lastModified gt "2011-05-13T06:42:34+02:00"'), document)).toBe(false);
    expect(matches(bound('id eq "USER:scim:p:1"'), document)).toBe(false);
    expect(matches(bound('name.givenName ne "x" and not (name pr)'), document)).toBe(true);
  });

  it('throws nothing but ScimError, and gives a filter that can be evaluated, for any filter that parses', () => {
    const path = fc.constantFrom(
      'userName',
      'emails',
      'emails.primary',
      'meta.created',
      'password',
      'x',
      `${ENTERPRISE_URN}:manager`,
    );
    const operator = fc.constantFrom('eq', 'ne', 'co', 'gt', 'le');
    const value = fc.oneof(
      fc.string(),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.constant('2011-05-13T04:42:34Z'),
    );
    fc.assert(
      fc.property(path, operator, value, (name, comparison, literal) => {
        const text = `${name} ${comparison} ${JSON.stringify(literal)}`;
        const error = errorOf(() => matches(bound(`not (${text})`), { userName: 'x', emails: [{ primary: true }] }));
        expect(error === undefined || error instanceof ScimError).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

describe(bindElementFilter.name, () => {
  it('starts references at the element', () => {
    expect(bindElementFilter(parseFilter('VALUE eq "A@x"'), EMAILS)).toEqual({
      kind: 'compare',
      attribute: { path: ['value'], type: 'string', multiValued: false },
      operator: 'eq',
      value: 'a@x',
    });
  });

  it.each(['unknown pr', '$ref pr', 'emails[type pr]'])('rejects %s with invalidFilter', (text) => {
    expect(errorOf(() => bindElementFilter(parseFilter(text), EMAILS))).toMatchObject({
      status: 400,
      scimType: 'invalidFilter',
    });
  });

  it('finds nothing inside an attribute without sub-attributes', () => {
    const tags = defineAttribute({ name: 'tags', description: '', multiValued: true });
    expect(errorOf(() => bindElementFilter(parseFilter('value eq "x"'), tags))).toMatchObject({
      detail: 'filter: "value" at offset 0: expected a sub-attribute of tags',
    });
  });
});

describe('schemas in a filter', () => {
  const always = { kind: 'and', operands: [] };
  const never = { kind: 'or', operands: [] };
  const usesExtension = {
    kind: 'present',
    attribute: { path: [ENTERPRISE_URN], type: 'complex', multiValued: false },
  };

  it.each([
    ['schemas pr', always],
    [`schemas eq "${CORE_URN}"`, always],
    [`schemas ne "${CORE_URN}"`, { kind: 'or', operands: [usesExtension] }],
    [`schemas eq "${ENTERPRISE_URN}"`, usesExtension],
    [`schemas ne "${ENTERPRISE_URN}"`, always],
    ['schemas eq "urn:x"', never],
    ['schemas ne "urn:x"', always],
  ])('[RFC7644-3.4.2.2] is bound without being stored: %s', (text, expected) => {
    expect(bound(text)).toEqual(expected);
  });
});

describe('primary in a filter', () => {
  const isPrimary = {
    kind: 'compare',
    attribute: { path: ['primary'], type: 'boolean', multiValued: false },
    operator: 'eq',
    value: true,
  };
  const emails = { path: ['emails'], type: 'complex', multiValued: true };

  it.each([
    ['emails[primary eq false]', { kind: 'element', attribute: emails, filter: { kind: 'not', operand: isPrimary } }],
    ['emails[primary ne true]', { kind: 'element', attribute: emails, filter: { kind: 'not', operand: isPrimary } }],
    ['emails[primary ne "False"]', { kind: 'element', attribute: emails, filter: isPrimary }],
    ['emails.primary eq false', { kind: 'element', attribute: emails, filter: { kind: 'not', operand: isPrimary } }],
    ['emails.primary eq true', { kind: 'element', attribute: emails, filter: isPrimary }],
    [
      'emails.primary ne true',
      {
        kind: 'or',
        operands: [
          { kind: 'element', attribute: emails, filter: { kind: 'not', operand: isPrimary } },
          { kind: 'not', operand: { kind: 'present', attribute: emails } },
        ],
      },
    ],
  ])('[RFC7643-2.4] is false where it is not specified: %s', (text, expected) => {
    expect(bound(text)).toEqual(expected);
  });
});
