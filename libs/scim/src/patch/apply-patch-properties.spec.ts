import { describe, expect, it } from '@jest/globals';
import { DIALECTS, type Dialect, type JsonObject, type JsonValue } from '@palisade/domain';
import * as fc from 'fast-check';
import { ScimError } from '../scim.errors.js';
import { createResourceSchema } from '../schema/create-resource-schema.js';
import { applyPatch, type PatchableState, type PatchedState } from './apply-patch.js';
import { parsePatch } from './parse-patch.js';
import { runs } from '../../../../test/support/effort.js';

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const SCHEMA = createResourceSchema('User');
const ORDER = SCHEMA.attributes.map(({ name }) => name);

const plainPath = fc.constantFrom(
  'title',
  'active',
  'externalId',
  'name',
  'name.givenName',
  'emails',
  'emails.value',
  'emails.primary',
  'roles',
  'addresses',
  'userName',
  'password',
  'schemas',
  'manager',
  ENTERPRISE,
  `${ENTERPRISE}:department`,
  `${ENTERPRISE}:manager.value`,
);
const filter = fc.constantFrom(
  'type eq "work"',
  'primary eq true',
  'primary eq "True"',
  'value eq "a"',
  'value eq a',
  'type eq "work" and primary eq true',
  'not (type eq "home")',
  'value pr',
  'display ne "x" or type eq null',
);
const valuePath = fc
  .tuple(fc.constantFrom('emails', 'roles'), filter, fc.constantFrom('', '.value', '.type', '.primary', '.display'))
  .map(([list, condition, sub]) => `${list}[${condition}]${sub}`);
const hostilePath = fc.oneof(
  fc.constantFrom('__proto__', 'constructor.prototype', 'id', 'meta.version', 'groups', 'emails[', 'members', ''),
  fc.string({ maxLength: 20 }),
);

const text = fc.constantFrom('a', 'b', 'A', 'work', 'home', 'True', '', 'x\0');
const element = fc.record(
  {
    value: fc.option(text),
    type: fc.option(fc.constantFrom('work', 'home', 'WORK')),
    display: text,
    primary: fc.constantFrom<unknown>(true, false, 'true', 'False', null),
  },
  { requiredKeys: [] },
);
const value: fc.Arbitrary<unknown> = fc.oneof(
  text,
  fc.boolean(),
  fc.constant(null),
  fc.integer({ max: 3 }),
  element,
  fc.array(fc.oneof(element, text), { maxLength: 3 }),
  fc.record({ givenName: fc.option(text), familyName: text }, { requiredKeys: [] }),
  fc.jsonValue({ maxDepth: 3 }),
);
function operation(path: fc.Arbitrary<string>): fc.Arbitrary<object> {
  return fc.oneof(
    { weight: 6, arbitrary: fc.record({ op: fc.constantFrom('add', 'Replace', 'remove'), path, value }) },
    { weight: 1, arbitrary: fc.record({ op: fc.constantFrom('add', 'replace', 'remove', 'move'), path }) },
    {
      weight: 1,
      arbitrary: fc.record({
        op: fc.constantFrom('add', 'replace'),
        value: fc.dictionary(path, value, { maxKeys: 3 }),
      }),
    },
  );
}

const anyPath = fc.oneof(
  { weight: 5, arbitrary: plainPath },
  { weight: 5, arbitrary: valuePath },
  { weight: 1, arbitrary: hostilePath },
);
const operations = fc.array(operation(anyPath), { minLength: 1, maxLength: 6 });
const dialect = fc.constantFrom(...DIALECTS);

const STATE = frozen<PatchableState>({
  externalId: '1',
  attributes: {
    userName: 'ada',
    name: { familyName: 'King', givenName: 'Ada' },
    title: 'Countess',
    active: true,
    emails: [
      { value: 'a', type: 'work', primary: true },
      { value: 'b', display: 'x', type: 'home' },
    ],
    roles: [{ value: 'a' }],
    [ENTERPRISE]: { department: 'Notes', manager: { value: 'm1' } },
  },
});

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    Object.values(value).forEach(frozen);
    Object.freeze(value);
  }
  return value;
}

/** Not so: `{ "emails.value": "a", "emails": {} }` sets the values of all, then adds one, whose value is set next time. */
function namesEachAttributeOnce({ value }: { readonly value?: unknown }): boolean {
  const names = Object.keys(Object(value)).map((key) => key.split('.')[0]);
  return new Set(names).size === names.length;
}

/** Undefined when the patch is rejected; anything but a rejection is thrown on. */
function tryPatch(state: PatchableState, sent: readonly object[], dialect: Dialect): PatchedState | undefined {
  try {
    return applyPatch(state, parsePatch({ Operations: sent }, SCHEMA, dialect), SCHEMA, dialect);
  } catch (error) {
    if (error instanceof ScimError && (error.status === 400 || error.status === 403)) {
      return undefined;
    }
    throw error;
  }
}

function isEmpty(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || (typeof value === 'object' && Object.keys(value).length === 0);
}

function holdsNothingEmpty(value: JsonValue): boolean {
  return typeof value !== 'object' || (!isEmpty(value) && Object.values(value ?? {}).every(holdsNothingEmpty));
}

function primaries(attributes: JsonObject, name: string): number {
  const elements = (attributes[name] ?? []) as readonly JsonObject[];
  return elements.filter(({ primary }) => primary === true).length;
}

describe(`${applyPatch.name}: whatever the operations`, () => {
  it('rejects or applies, and never changes what it was given', () => {
    const copy = structuredClone(STATE);

    fc.assert(
      fc.property(operations, dialect, (sent, dialect) => {
        tryPatch(STATE, frozen(structuredClone(sent)), dialect);

        expect(STATE).toEqual(copy);
      }),
      { numRuns: runs(300) },
    );
  });

  it('[RFC7643-2.5-1] leaves nothing null or empty behind, required attributes, order and single primaries', () => {
    fc.assert(
      fc.property(operations, dialect, (sent, dialect) => {
        const after = tryPatch(STATE, sent, dialect);
        fc.pre(after !== undefined);
        const names = Object.keys(after.attributes);

        expect(holdsNothingEmpty(after.attributes)).toBe(true);
        expect(after.attributes).toMatchObject({ userName: expect.stringMatching(/\S/), active: expect.any(Boolean) });
        expect(names).toEqual(ORDER.filter((name) => names.includes(name)));
        expect([primaries(after.attributes, 'emails') <= 1, primaries(after.attributes, 'roles') <= 1]).toEqual([
          true,
          true,
        ]);
      }),
      { numRuns: runs(300) },
    );
  });

  it('[RFC7644-3.5.2] applies two operations together as one after the other', () => {
    fc.assert(
      fc.property(operation(anyPath), operation(anyPath), dialect, (first, second, dialect) => {
        const between = tryPatch(STATE, [first], dialect);
        fc.pre(between !== undefined);

        expect(tryPatch(STATE, [first, second], dialect)?.attributes).toEqual(
          tryPatch(between, [second], dialect)?.attributes,
        );
      }),
      { numRuns: runs(300) },
    );
  });

  it('changes nothing by the same replace, add or remove without a filter a second time', () => {
    fc.assert(
      fc.property(operation(plainPath), dialect, (sent, dialect) => {
        const once = tryPatch(STATE, [sent], dialect);
        fc.pre(once !== undefined && namesEachAttributeOnce(sent));

        expect(tryPatch(once, [sent], dialect)).toEqual(once);
      }),
      { numRuns: runs(300) },
    );
  });
});
