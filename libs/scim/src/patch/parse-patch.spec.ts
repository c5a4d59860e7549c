import { describe, expect, it } from '@jest/globals';
import type { Dialect } from '@palisade/domain';
import { createResourceSchema } from '../schema/create-resource-schema.js';
import { PATCH_OP_URN } from '../urns.js';
import { parsePatch } from './parse-patch.js';
import type { PatchOperation } from './patch-operation.js';

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const SCHEMA = createResourceSchema('User');
const OPERATIONS = [{ op: 'replace', path: 'title', value: 'Countess' }];

function parse(operation: unknown, dialect: Dialect = 'rfc'): readonly PatchOperation[] {
  return parsePatch({ Operations: [operation] }, SCHEMA, dialect);
}

function rejection(scimType: string): unknown {
  return expect.objectContaining({ status: 400, scimType });
}

/** The paths that the steps set, and to what. */
function assignments(operation: unknown): Record<string, unknown> {
  return Object.fromEntries(
    parse(operation).flatMap((step) =>
      step.kind === 'attribute' ? [[step.steps.map(({ name }) => name).join(' '), step.value]] : [],
    ),
  );
}

describe(parsePatch.name, () => {
  it.each([
    { schemas: [PATCH_OP_URN], Operations: OPERATIONS },
    { schemas: [PATCH_OP_URN.toUpperCase(), 'urn:other'], operations: OPERATIONS },
    { SCHEMAS: [PATCH_OP_URN], OPERATIONS },
  ])('[RFC7644-3.5.2-1] reads %j', (body) => {
    expect(parsePatch(body, SCHEMA, 'rfc', { requireSchemas: true })).toMatchObject([
      { op: 'replace', value: 'Countess' },
    ]);
  });

  it.each([[undefined], [null], [[]], [['urn:other']], [PATCH_OP_URN], [[7]], [{}]])(
    '[RFC7644-3.5.2-1] rejects the schemas %j when they are required',
    (schemas) => {
      expect(() => parsePatch({ schemas, Operations: OPERATIONS }, SCHEMA, 'rfc', { requireSchemas: true })).toThrow(
        rejection('invalidSyntax'),
      );
    },
  );

  it.each([[undefined], [null]])('does without schemas when they are not required: %j', (schemas) => {
    expect(parsePatch({ schemas, Operations: OPERATIONS }, SCHEMA, 'rfc')).toHaveLength(1);
  });

  it('rejects other schemas even when they are not required', () => {
    expect(() => parsePatch({ schemas: ['urn:other'], Operations: OPERATIONS }, SCHEMA, 'rfc')).toThrow(
      rejection('invalidSyntax'),
    );
  });

  it.each([
    [undefined],
    [null],
    [7],
    ['text'],
    [[]],
    [{}],
    [{ Operations: {} }],
    [{ Operations: null }],
    [{ Operations: 'x' }],
  ])('rejects the body %j', (body) => {
    expect(() => parsePatch(body, SCHEMA, 'rfc')).toThrow(rejection('invalidSyntax'));
  });

  it('[RFC7644-3.5.2-2] rejects a body without operations', () => {
    expect(() => parsePatch({ Operations: [] }, SCHEMA, 'rfc')).toThrow(rejection('invalidValue'));
  });

  it('reads a thousand operations and no more', () => {
    const operations = Array.from({ length: 1000 }, () => OPERATIONS[0]);

    expect(parsePatch({ Operations: operations }, SCHEMA, 'rfc')).toHaveLength(1000);
    expect(() => parsePatch({ Operations: [...operations, OPERATIONS[0]] }, SCHEMA, 'rfc')).toThrow(
      rejection('invalidValue'),
    );
  });

  it('rejects operations that set more than ten thousand attributes together', () => {
    const value = {
      name: { givenName: 'Ada', familyName: 'King' },
      title: 'x',
      nickName: 'x',
      locale: 'x',
      timezone: 'x',
    };
    const repeated = { ...value, TITLE: 'y', NICKNAME: 'y', LOCALE: 'y', TIMEZONE: 'y', 'NAME.givenName': 'y' };
    const operations = Array.from({ length: 1000 }, () => ({ op: 'add', value: repeated }));

    expect(() => parsePatch({ Operations: operations }, SCHEMA, 'rfc')).toThrow(rejection('invalidValue'));
  });

  it.each([
    [{ Operations: OPERATIONS, operations: OPERATIONS }],
    [{ Operations: [{ op: 'add', OP: 'remove', path: 'title', value: 'x' }] }],
    [{ Operations: [{ op: 'add', path: 'title', Path: 'locale', value: 'x' }] }],
    [{ Operations: [{ op: 'add', path: 'title', value: 'x', VALUE: 'y' }] }],
  ])('[RFC7644-3.5.2-3] rejects a member that is given twice: %j', (body) => {
    expect(() => parsePatch(body, SCHEMA, 'rfc')).toThrow(rejection('invalidSyntax'));
  });

  it.each(['Add', 'add', 'ADD', 'Replace', 'rEpLaCe'])('[RFC7644-3.5.2-3] reads the op %s', (op) => {
    expect(parse({ op, path: 'title', value: 'x' })).toMatchObject([{ op: op.toLowerCase() }]);
  });

  it.each([['move'], ['test'], [''], [null], [undefined], [1], [['add']]])(
    '[RFC7644-3.5.2-3] rejects the op %j',
    (op) => {
      expect(() => parse({ op, path: 'title', value: 'x' })).toThrow(rejection('invalidSyntax'));
    },
  );

  it.each([[null], ['add'], [[]], [7]])('rejects the operation %j', (operation) => {
    expect(() => parse(operation)).toThrow(rejection('invalidSyntax'));
  });

  it('says which operation is wrong', () => {
    expect(() => parsePatch({ Operations: [...OPERATIONS, { op: 'move' }] }, SCHEMA, 'rfc')).toThrow(
      'Operations[1].op: expected one of add, remove, replace, found "move"',
    );
  });

  it('ignores members of an operation that it does not know', () => {
    expect(parse({ op: 'Add', name: 'addTitle', path: 'title', value: 'x' })).toHaveLength(1);
  });

  it.each(['add', 'replace'])('[RFC7644-3.5.2.1-1] rejects %s without a value', (op) => {
    expect(() => parse({ op, path: 'title' })).toThrow(rejection('invalidValue'));
    expect(() => parse({ op })).toThrow(rejection('invalidValue'));
  });

  it.each([[null], ['x'], [7], [[{ title: 'x' }]]])('rejects the value %j without a path', (value) => {
    expect(() => parse({ op: 'replace', value })).toThrow(rejection('invalidValue'));
  });

  it('[RFC7644-3.5.2-4] rejects remove without a path', () => {
    expect(() => parse({ op: 'remove' })).toThrow(rejection('noTarget'));
    expect(() => parse({ op: 'remove', path: null })).toThrow(rejection('noTarget'));
  });

  it.each([[7], [['title']], [{}], ['']])('rejects the path %j', (path) => {
    expect(() => parse({ op: 'replace', path, value: 'x' })).toThrow(rejection('invalidPath'));
  });

  it('[RFC7644-3.5.2.3-1] reads the names in a value without a path: bare, dotted, qualified, and extensions', () => {
    const value = {
      TITLE: 'Countess',
      'name.givenName': 'Ada',
      name: { familyName: 'King' },
      [`${ENTERPRISE}:department`]: 'Notes',
      [ENTERPRISE.toLowerCase()]: { division: 'Engines', manager: { value: 'm1' } },
      'urn:ietf:params:scim:schemas:core:2.0:User:nickName': 'Ada',
    };

    expect(assignments({ op: 'replace', value })).toEqual({
      title: 'Countess',
      'name givenName': 'Ada',
      'name familyName': 'King',
      [`${ENTERPRISE} department`]: 'Notes',
      [`${ENTERPRISE} division`]: 'Engines',
      [`${ENTERPRISE} manager value`]: 'm1',
      nickName: 'Ada',
    });
  });

  it.each(['id', 'meta', 'groups', 'schemas', 'meta.created', `${ENTERPRISE}:manager.displayName`])(
    'ignores %s in a value without a path',
    (name) => {
      expect(parse({ op: 'replace', value: { [name]: 'x' } })).toEqual([]);
    },
  );

  it.each([
    'id',
    'meta',
    'meta.created',
    'groups',
    'groups[value eq "x"].display',
    `${ENTERPRISE}:manager.displayName`,
  ])('[RFC7644-3.5.2-6] [RFC7643-7-10] fails with mutability for the readOnly path %s', (path) => {
    expect(() => parse({ op: 'replace', path, value: 'x' })).toThrow(rejection('mutability'));
  });

  it.each([
    { salary: 1 },
    { 'name.nope': 1 },
    { 'urn:example:none': {} },
    { name: { nope: 1 } },
    { [ENTERPRISE]: { nope: 1 } },
  ])('rejects the unknown name in %j with invalidSyntax', (value) => {
    expect(() => parse({ op: 'add', value })).toThrow(rejection('invalidSyntax'));
  });

  it('rejects a sub-attribute that is given twice', () => {
    expect(() => parse({ op: 'add', path: 'name', value: { givenName: 'A', GIVENNAME: 'B' } })).toThrow(
      rejection('invalidSyntax'),
    );
  });

  it.each([
    '__proto__',
    'constructor.prototype',
    'constructor',
    'toString',
    '__proto__.polluted',
    'name.__proto__',
    'name.constructor',
  ])('rejects the path and the name %s, and pollutes nothing', (path) => {
    expect(() => parse({ op: 'add', path, value: { polluted: true } })).toThrow(rejection('invalidPath'));
    expect(() => parse({ op: 'add', value: JSON.parse(`{"${path}": {"polluted": true}}`) as unknown })).toThrow(
      rejection('invalidSyntax'),
    );
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  it.each(['{"__proto__": "x"}', '{"constructor": "x"}', '{"familyName": "King", "__proto__": {"polluted": true}}'])(
    'rejects the sub-attributes %s',
    (text) => {
      expect(() => parse({ op: 'add', path: 'name', value: JSON.parse(text) as unknown })).toThrow(
        rejection('invalidSyntax'),
      );
    },
  );

  it('does not take members from a prototype', () => {
    const operation: unknown = Object.create({ op: 'add', path: 'title', value: 'x' });

    expect(() => parse(operation)).toThrow(rejection('invalidSyntax'));
  });

  it.each([
    ['a string', 'title', 7],
    ['true or false', 'active', 'maybe'],
    ['an object', 'name', 'Ada'],
    ['an object', 'emails', ['a@x.org']],
    ['well-formed', 'title', 'a\0b'],
    ['at most 255', 'userName', 'x'.repeat(256)],
    [
      'at most one',
      'emails',
      [
        { value: 'a', primary: true },
        { value: 'b', primary: true },
      ],
    ],
    ['at most 1000', 'roles', Array.from({ length: 1001 }, () => ({ value: 'a' }))],
  ])('rejects what is not %s for %s', (expected, path, value) => {
    expect(() => parse({ op: 'replace', path, value })).toThrow(rejection('invalidValue'));
    expect(() => parse({ op: 'replace', path, value })).toThrow(expected);
  });

  it('[RFC7643-4.1.1-8] plans nothing for a password', () => {
    expect(parse({ op: 'replace', path: 'password', value: 'secret' })).toEqual([]);
    expect(parse({ op: 'add', value: { password: 'secret' } })).toEqual([]);
    expect(parse({ op: 'remove', path: 'password' })).toEqual([]);
  });

  it.each([{ op: 'remove' }, { op: 'replace', value: [] }, { op: 'replace', value: null }])(
    'fails with mutability when schemas would be removed: %j',
    (operation) => {
      expect(() => parse({ path: 'schemas', ...operation })).toThrow(rejection('mutability'));
    },
  );
});
