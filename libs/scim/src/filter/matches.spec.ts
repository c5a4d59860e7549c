import { describe, expect, it } from '@jest/globals';
import type { AttributeReference, ComparisonOperator, Filter, JsonObject } from '@palisade/domain';
import { matches } from './matches.js';

const DOCUMENT: JsonObject = {
  userName: 'bjensen',
  active: false,
  rank: 3,
  nickName: '',
  title: null,
  emails: [
    { value: 'work@example.com', type: 'work' },
    { value: 'home@example.org', type: 'home', primary: true },
  ],
  phoneNumbers: [],
  ims: [{ type: '' }, {}],
  'urn:x': { department: 'sales' },
};

function reference(path: string): AttributeReference {
  const [first = '', ...rest] = path.split('/');
  return { path: [first, ...rest], type: 'string', multiValued: false };
}

function compare(path: string, operator: ComparisonOperator, value: string | number | boolean): Filter {
  return { kind: 'compare', attribute: reference(path), operator, value };
}

function present(path: string): Filter {
  return { kind: 'present', attribute: reference(path) };
}

/** An e-mail address of this type that ends in `.com`. */
function emailFromCom(type: string): Filter {
  const filter: Filter = { kind: 'and', operands: [compare('type', 'eq', type), compare('value', 'ew', '.com')] };
  return { kind: 'element', attribute: reference('emails'), filter };
}

describe(matches.name, () => {
  it.each<[ComparisonOperator, string, boolean]>([
    ['eq', 'bjensen', true],
    ['eq', 'bjense', false],
    ['ne', 'bjensen', false],
    ['ne', 'x', true],
    ['co', 'jens', true],
    ['co', 'jans', false],
    ['sw', 'bj', true],
    ['sw', 'j', false],
    ['sw', 'bjensen', true],
    ['ew', 'sen', true],
    ['ew', 'se', false],
    ['ew', 'bjensen', true],
    ['gt', 'bj', true],
    ['gt', 'bjensen', false],
    ['ge', 'bjensen', true],
    ['lt', 'c', true],
    ['lt', 'bjensen', false],
    ['le', 'bjensen', true],
  ])('[RFC7644-3.4.2.2] userName %s %j is %s', (operator, value, expected) => {
    expect(matches(compare('userName', operator, value), DOCUMENT)).toBe(expected);
  });

  it.each<[ComparisonOperator, number, boolean]>([
    ['eq', 3, true],
    ['gt', 2, true],
    ['gt', 10, false],
    ['lt', 10, true],
    ['ge', 3, true],
    ['le', 2, false],
  ])('[RFC7644-3.4.2.2] compares numbers by value: rank %s %d is %s', (operator, value, expected) => {
    expect(matches(compare('rank', operator, value), DOCUMENT)).toBe(expected);
  });

  it('orders strings by code point', () => {
    expect(matches(compare('name', 'gt', '\uFF21'), { name: '\u{1F600}' })).toBe(true);
  });

  it('[RFC7644-3.4.2.2] holds for a multi-valued attribute when any value satisfies', () => {
    expect(matches(compare('emails/value', 'ew', '.com'), DOCUMENT)).toBe(true);
    expect(matches(compare('emails/value', 'ew', '.net'), DOCUMENT)).toBe(false);
    expect(matches(compare('emails/type', 'ne', 'work'), DOCUMENT)).toBe(true);
  });

  it.each(['title', 'missing', 'phoneNumbers', 'phoneNumbers/value', 'ims/value', 'urn:y/department'])(
    'holds for ne, and for no other operator, when there is no value: %s',
    (path) => {
      expect(matches(compare(path, 'ne', 'x'), DOCUMENT)).toBe(true);
      for (const operator of ['eq', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const) {
        expect(matches(compare(path, operator, ''), DOCUMENT)).toBe(false);
      }
    },
  );

  it.each(['eq', 'ne', 'co', 'gt', 'le'] as const)('never holds between different JSON types: %s', (operator) => {
    expect(matches(compare('rank', operator, '3'), DOCUMENT)).toBe(false);
    expect(matches(compare('userName', operator, 3), DOCUMENT)).toBe(false);
    expect(matches(compare('active', operator, 0), DOCUMENT)).toBe(false);
    expect(matches(compare('urn:x', operator, 'x'), DOCUMENT)).toBe(false);
  });

  it.each([
    ['userName', true],
    ['active', true],
    ['rank', true],
    ['emails', true],
    ['emails/primary', true],
    ['urn:x', true],
    ['nickName', false],
    ['title', false],
    ['missing', false],
    ['phoneNumbers', false],
    ['ims', false],
    ['ims/type', false],
  ])('[RFC7644-3.4.2.2] pr on %s is %s', (path, expected) => {
    expect(matches(present(path), DOCUMENT)).toBe(expected);
  });

  it('[RFC7644-3.4.2.2] applies a value path to one and the same element', () => {
    expect(matches(emailFromCom('work'), DOCUMENT)).toBe(true);
    expect(matches(emailFromCom('home'), DOCUMENT)).toBe(false);
  });

  it('treats a single complex value as one element', () => {
    const filter: Filter = {
      kind: 'element',
      attribute: reference('urn:x'),
      filter: compare('department', 'eq', 'sales'),
    };
    expect(matches(filter, DOCUMENT)).toBe(true);
  });

  it('gives no element to a value path on an absent attribute', () => {
    const filter: Filter = { kind: 'element', attribute: reference('missing'), filter: compare('type', 'ne', 'work') };
    expect(matches(filter, DOCUMENT)).toBe(false);
  });

  it('[RFC7644-3.4.2.2] evaluates and, or and not', () => {
    const [yes, no] = [present('userName'), present('missing')];
    expect(matches({ kind: 'and', operands: [yes, no] }, DOCUMENT)).toBe(false);
    expect(matches({ kind: 'and', operands: [yes, yes] }, DOCUMENT)).toBe(true);
    expect(matches({ kind: 'or', operands: [no, yes] }, DOCUMENT)).toBe(true);
    expect(matches({ kind: 'or', operands: [no, no] }, DOCUMENT)).toBe(false);
    expect(matches({ kind: 'not', operand: no }, DOCUMENT)).toBe(true);
  });

  it('holds for an empty and, and not for an empty or', () => {
    expect(matches({ kind: 'and', operands: [] }, DOCUMENT)).toBe(true);
    expect(matches({ kind: 'or', operands: [] }, DOCUMENT)).toBe(false);
  });

  it.each(['__proto__', 'constructor', 'toString', 'userName/length', 'emails/length'])(
    'does not see inherited properties: %s',
    (path) => {
      expect(matches(present(path), DOCUMENT)).toBe(false);
    },
  );
});
