import { describe, expect, it } from '@jest/globals';
import { createResourceSchema } from '../schema/create-resource-schema.js';
import { validateExtension } from '../schema/validate-extension.js';
import { ENTERPRISE_USER_URN, USER_URN } from '../urns.js';
import { Projection, type ProjectionParameters, type ProjectionRule, type ProjectionRules } from './projection.js';

const hr = validateExtension({
  resourceType: 'User',
  schema: {
    id: 'urn:acme:hr',
    name: 'HR',
    attributes: [
      { name: 'badge', returned: 'always' },
      { name: 'notes', returned: 'request' },
      { name: 'pin', mutability: 'writeOnly', returned: 'never' },
      { name: 'room' },
    ],
  },
});
const user = createResourceSchema('User');
const group = createResourceSchema('Group');
const employee = createResourceSchema('User', [hr]);

type PlainRules = 'whole' | { [name: string]: PlainRules };

function plain(rule: ProjectionRule | ProjectionRules): PlainRules {
  return rule === 'whole' ? rule : Object.fromEntries([...rule].map(([name, below]) => [name, plain(below)]));
}

function rules(parameters: ProjectionParameters, schema = user): PlainRules {
  return plain(Projection.parse(parameters, schema).rules);
}

const MINIMUM = { schemas: 'whole', id: 'whole' };

describe(Projection.name, () => {
  it('[RFC7644-3.9] returns everything by default except what is returned on request or never', () => {
    const { password, ...returned } = Object.fromEntries(user.attributes.map(({ name }) => [name, 'whole']));

    expect(password).toBe('whole');
    expect(rules({})).toEqual(returned);
  });

  it('compiles the default once for a schema', () => {
    expect(Projection.parse({ attributes: [''], excludedAttributes: [] }, user)).toBe(Projection.all(user));
  });

  it('[RFC7644-3.9] returns the minimum and what is named', () => {
    expect(rules({ attributes: ['userName', 'EMAILS'] })).toEqual({ ...MINIMUM, userName: 'whole', emails: 'whole' });
  });

  it.each([
    ['name.familyName', { name: { familyName: 'whole' } }],
    ['emails.value', { emails: { value: 'whole' } }],
    ['meta.version', { meta: { version: 'whole' } }],
    [`${USER_URN}:userName`, { userName: 'whole' }],
    [`${USER_URN}:name.givenName`, { name: { givenName: 'whole' } }],
    [ENTERPRISE_USER_URN, { [ENTERPRISE_USER_URN]: 'whole' }],
    [`${ENTERPRISE_USER_URN}:manager.value`, { [ENTERPRISE_USER_URN]: { manager: { value: 'whole' } } }],
  ])('[RFC7644-3.10] returns what %s names', (name, expected) => {
    expect(rules({ attributes: [name] })).toEqual({ ...MINIMUM, ...expected });
  });

  it('[RFC7644-3.4.2.5] leaves out what is excluded', () => {
    const projection = Projection.parse({ excludedAttributes: ['groups', 'name.givenName'] }, user);

    expect(projection.rules.has('groups')).toBe(false);
    expect(projection.rules.has('userName')).toBe(true);
    expect(Object.keys(plain(projection.rules.get('name') ?? 'whole'))).toEqual([
      'formatted',
      'familyName',
      'middleName',
      'honorificPrefix',
      'honorificSuffix',
    ]);
  });

  it('[RFC7644-3.4.2.5] returns id and schemas even if they are excluded', () => {
    expect(rules({ excludedAttributes: ['id', 'schemas', 'userName'] })).toMatchObject(MINIMUM);
  });

  it('takes a whole attribute over its parts, in any order', () => {
    const expected = { ...MINIMUM, name: 'whole' };

    expect(rules({ attributes: ['name.givenName', 'name'] })).toEqual(expected);
    expect(rules({ attributes: ['name', 'name.givenName'] })).toEqual(expected);
  });

  it('splits names at commas', () => {
    expect(rules({ attributes: ['userName, title', 'active'] })).toEqual({
      ...MINIMUM,
      userName: 'whole',
      title: 'whole',
      active: 'whole',
    });
  });

  it.each(['unknown', 'name.unknown', '__proto__', 'constructor.name', 'department.x'])(
    'lets the unknown name %s select nothing',
    (name) => {
      expect(rules({ attributes: [name] })).toEqual(MINIMUM);
    },
  );

  it('[RFC7643-7] never returns a password, even if it is named', () => {
    expect(rules({ attributes: ['password'] })).toEqual(MINIMUM);
  });

  it('[RFC7643-7] returns "always", "request" and "default" of an extension as they say', () => {
    const of = (parameters: ProjectionParameters): PlainRules | undefined => {
      const returned = rules(parameters, employee);
      return returned === 'whole' ? returned : returned['urn:acme:hr'];
    };

    expect(of({})).toEqual({ badge: 'whole', room: 'whole' });
    expect(of({ attributes: ['userName'] })).toEqual({ badge: 'whole' });
    expect(of({ attributes: ['urn:acme:hr:notes'] })).toEqual({ badge: 'whole', notes: 'whole' });
    expect(of({ attributes: ['urn:acme:hr'] })).toEqual({ badge: 'whole', room: 'whole' });
    expect(of({ attributes: ['urn:acme:hr:pin'] })).toEqual({ badge: 'whole' });
    expect(of({ excludedAttributes: ['urn:acme:hr'] })).toEqual({ badge: 'whole' });
    expect(of({ excludedAttributes: ['urn:acme:hr:room'] })).toEqual({ badge: 'whole' });
    expect(of({ excludedAttributes: ['urn:acme:hr:notes'] })).toEqual({ badge: 'whole', room: 'whole' });
  });

  it('[RFC7644-3.9] rejects both parameters together', () => {
    expect(() => rules({ attributes: ['userName'], excludedAttributes: ['groups'] })).toThrow(
      expect.objectContaining({ status: 400, scimType: 'invalidValue' }),
    );
  });

  it('rejects more than 200 names', () => {
    expect(() => rules({ attributes: Array.from({ length: 201 }, () => 'userName') })).toThrow('at most 200 names');
    expect(() => rules({ excludedAttributes: [`${'a,'.repeat(200)}a`] })).toThrow('at most 200 names');
  });

  it.each([
    [{}, true],
    [{ attributes: ['userName'] }, false],
    [{ attributes: ['groups.value'] }, true],
    [{ excludedAttributes: ['groups'] }, false],
    [{ excludedAttributes: ['groups.display'] }, true],
  ])('loads groups for %j: %j', (parameters, expected) => {
    expect(Projection.parse(parameters, user).include).toEqual({ groups: expected, members: false });
  });

  it.each([
    [{}, true],
    [{ excludedAttributes: ['members'] }, false],
    [{ attributes: ['displayName'] }, false],
    [{ attributes: ['members'] }, true],
  ])('loads members for %j: %j', (parameters, expected) => {
    expect(Projection.parse(parameters, group).include).toEqual({ groups: false, members: expected });
  });
});
