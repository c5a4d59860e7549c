import { describe, expect, it } from '@jest/globals';
import type { Dialect } from '@palisade/domain';
import { createResourceSchema } from '../schema/create-resource-schema.js';
import { applyPatch, type PatchableState, type PatchedState } from './apply-patch.js';
import { parsePatch } from './parse-patch.js';

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const SCHEMA = createResourceSchema('User');

function patch(state: PatchableState, operations: readonly object[], dialect: Dialect = 'rfc'): PatchedState {
  return applyPatch(state, parsePatch({ Operations: operations }, SCHEMA, dialect), SCHEMA, dialect);
}

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    Object.values(value).forEach(frozen);
    Object.freeze(value);
  }
  return value;
}

describe(applyPatch.name, () => {
  it('[RFC7644-3.5.2] applies each operation to what the one before it left', () => {
    const operations = [
      { op: 'add', path: 'emails', value: [{ value: 'a@x.org', type: 'work' }] },
      { op: 'replace', path: 'emails[type eq "work"].value', value: 'b@x.org' },
      { op: 'remove', path: 'title' },
      { op: 'add', path: 'title', value: 'last' },
    ];

    expect(patch({ attributes: { userName: 'ada', title: 'first', active: true } }, operations).attributes).toEqual({
      userName: 'ada',
      title: 'last',
      active: true,
      emails: [{ value: 'b@x.org', type: 'work' }],
    });
  });

  it.each([
    ['noTarget', { op: 'replace', path: 'emails[type eq "fax"].value', value: 'x' }],
    ['mutability', { op: 'remove', path: 'userName' }],
    ['invalidValue', { op: 'replace', path: 'userName', value: '' }],
  ])(
    '[RFC7644-3.5.2-10] [RFC7644-3.5.2-11] leaves the resource alone when the last operation fails with %s',
    (scimType, operation) => {
      const attributes = { userName: 'ada', active: true, emails: [{ value: 'a@x.org', primary: true }] };
      const state = frozen(structuredClone({ externalId: '1', attributes }));
      const operations = [
        { op: 'add', path: 'emails', value: [{ value: 'b@x.org', primary: true }] },
        { op: 'replace', path: 'externalId', value: '2' },
        operation,
      ];

      expect(() => patch(state, operations)).toThrow(expect.objectContaining({ status: 400, scimType }));
      expect(state).toEqual({ externalId: '1', attributes });
    },
  );

  it('[RFC7644-3.5.2-8] lets operations use an extension that one before them brought', () => {
    const operations = [
      { op: 'add', path: `${ENTERPRISE}:department`, value: 'Notes' },
      { op: 'replace', path: ENTERPRISE, value: { division: 'Engines' } },
      { op: 'remove', path: `${ENTERPRISE}:department` },
    ];

    expect(patch({ attributes: { userName: 'ada', active: true } }, operations).attributes).toEqual({
      userName: 'ada',
      active: true,
      [ENTERPRISE]: { division: 'Engines' },
    });
  });

  it('never modifies the state that it is given', () => {
    const state = frozen({
      attributes: { userName: 'ada', active: true, name: { givenName: 'Ada' }, roles: [{ value: 'a' }] },
    });

    expect(
      patch(state, [
        { op: 'replace', path: 'name.familyName', value: 'King' },
        { op: 'add', path: 'roles', value: [{ value: 'b' }] },
        { op: 'remove', path: 'roles[value eq "a"]' },
      ]).attributes,
    ).toEqual({
      userName: 'ada',
      active: true,
      name: { familyName: 'King', givenName: 'Ada' },
      roles: [{ value: 'b' }],
    });
  });

  it('gives back the same attributes when nothing changes', () => {
    const attributes = { userName: 'ada', active: true, roles: [{ value: 'a' }] };

    expect(
      patch({ attributes }, [
        { op: 'replace', path: 'userName', value: 'ada' },
        { op: 'add', path: 'roles', value: { value: 'a' } },
        { op: 'remove', path: 'roles[value eq "b"]' },
      ]).attributes,
    ).toBe(attributes);
  });

  it('keeps attributes in the order of the schema', () => {
    const attributes = { userName: 'ada', active: true, [ENTERPRISE]: { department: 'Notes' } };
    const operations = [
      { op: 'add', value: { [`${ENTERPRISE}:employeeNumber`]: '1', roles: [{ value: 'a' }], nickName: 'Ada' } },
      { op: 'add', path: 'name.givenName', value: 'Ada' },
      { op: 'add', path: 'name.familyName', value: 'King' },
    ];

    expect(JSON.stringify(patch({ attributes }, operations).attributes)).toBe(
      JSON.stringify({
        userName: 'ada',
        name: { familyName: 'King', givenName: 'Ada' },
        nickName: 'Ada',
        active: true,
        roles: [{ value: 'a' }],
        [ENTERPRISE]: { employeeNumber: '1', department: 'Notes' },
      }),
    );
  });

  it('keeps data of a schema that the provider does not define any more', () => {
    const attributes = { userName: 'ada', active: true, 'urn:example:gone': { badge: 7 } };

    expect(patch({ attributes }, [{ op: 'add', path: 'title', value: 'Miss' }]).attributes).toEqual({
      ...attributes,
      title: 'Miss',
    });
  });

  it.each(['externalId', 'EXTERNALID'])('replaces the external id by the path %s', (path) => {
    const state = { externalId: '1', attributes: { userName: 'ada', active: true } };

    expect(patch(state, [{ op: 'replace', path, value: '2' }])).toEqual({ ...state, externalId: '2', members: [] });
  });

  it('gives a resource its first external id without a path', () => {
    const state = { attributes: { userName: 'ada', active: true } };

    expect(patch(state, [{ op: 'add', value: { externalId: '1' } }])).toEqual({
      ...state,
      externalId: '1',
      members: [],
    });
  });

  it.each([
    { op: 'remove', path: 'externalId' },
    { op: 'replace', path: 'externalId', value: null },
    { op: 'replace', value: { externalId: null } },
  ])('removes the external id with %j', (operation) => {
    const state = { externalId: '1', attributes: { userName: 'ada', active: true } };

    expect(patch(state, [operation]).externalId).toBeUndefined();
  });

  it.each(['', 'a\u0007b', 'x'.repeat(256), 7])('rejects the external id %j', (value) => {
    expect(() => patch({ attributes: { userName: 'ada' } }, [{ op: 'replace', path: 'externalId', value }])).toThrow(
      expect.objectContaining({ status: 400, scimType: 'invalidValue' }),
    );
  });

  it('leaves the external id out of the attributes', () => {
    const state = { externalId: '1', attributes: { userName: 'ada', active: true } };

    expect(patch(state, [{ op: 'add', path: 'title', value: 'Miss' }])).toEqual({
      externalId: '1',
      attributes: { userName: 'ada', title: 'Miss', active: true },
      members: [],
    });
  });

  it('applies a thousand operations that each select one of a hundred elements', () => {
    const roles = Array.from({ length: 100 }, (_, index) => ({ value: `role-${index}` }));
    const operations = Array.from({ length: 1000 }, (_, index) => ({
      op: 'replace',
      path: `roles[value eq "role-${index % 100}"].display`,
      value: `${index}`,
    }));

    expect(patch({ attributes: { userName: 'ada', active: true, roles } }, operations).attributes.roles).toEqual(
      roles.map(({ value }, index) => ({ value, display: `${900 + index}` })),
    );
  });

  it.each([
    ['each select one', (index: number) => ({ op: 'replace', path: `roles[value eq "${index}"].display`, value: 'x' })],
    ['each change all', (index: number) => ({ op: 'replace', path: 'roles.display', value: `${index}` })],
    ['each add one', (index: number) => ({ op: 'add', path: 'roles', value: [{ value: `${index}`, display: 'x' }] })],
    ['each remove one', (index: number) => ({ op: 'remove', path: 'roles', value: [{ value: `new-${index}` }] })],
  ])('[RFC7644-3.12] rejects a thousand operations that %s of a thousand elements with tooMany', (_name, operation) => {
    const roles = Array.from({ length: 1000 }, (_, index) => ({ value: `${index}` }));
    const operations = roles.map((_, index) => operation(index));

    expect(() => patch({ attributes: { userName: 'ada', active: true, roles } }, operations)).toThrow(
      expect.objectContaining({ status: 400, scimType: 'tooMany' }),
    );
  });
});
