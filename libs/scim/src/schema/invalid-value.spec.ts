import { describe, expect, it } from '@jest/globals';
import { describeValue, invalidValue } from './invalid-value.js';

describe(invalidValue.name, () => {
  it('[RFC7644-3.12] names the path, what was expected and what was found', () => {
    expect(invalidValue('active', 'true or false', 'yes')).toMatchObject({
      status: 400,
      scimType: 'invalidValue',
      detail: 'active: expected true or false, found "yes"',
    });
  });
});

describe(describeValue.name, () => {
  it.each([
    [undefined, 'nothing'],
    [null, 'nothing'],
    [false, 'false'],
    [1.5, '1.5'],
    ['a"b\n', '"a\\"b\\n"'],
    ['x\0\ud800', '"x\\u0000\\ud800"'],
    [[1, 2], 'a list of 2'],
    [{ a: 1 }, 'an object'],
    [() => 1, 'something that is not JSON'],
  ])('describes %j as %s', (value, expected) => {
    expect(describeValue(value)).toBe(expected);
  });

  it('shows only the beginning of a long text', () => {
    expect(describeValue('x'.repeat(1_000_000))).toBe(`"${'x'.repeat(60)}…"`);
  });
});
