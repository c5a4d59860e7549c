import { describe, expect, it } from '@jest/globals';
import type { Filter } from '@palisade/domain';
import { createResourceSchema } from '../schema/create-resource-schema.js';
import { bindFilter } from './bind-filter.js';
import { checkWeight } from './filter-weight.js';
import { parseFilter } from './parse-filter.js';

const SCHEMA = createResourceSchema('User');

/** The condition `count` times, each time with another number in place of `#`. */
function repeat(count: number, condition: string): Filter {
  const conditions = Array.from({ length: count }, (_, index) => condition.replaceAll('#', String(index)));
  return bindFilter(parseFilter(conditions.join(' or ')), SCHEMA);
}

function equalities(count: number): string {
  return Array.from({ length: count }, (_, index) => `title eq "${index}"`).join(' or ');
}

describe(checkWeight.name, () => {
  it.each([
    ['co', 40, 'emails co "#"'],
    ['sw', 40, 'title sw "#"'],
    ['ew', 40, 'title ew "#"'],
    ['ne', 100, 'title ne "#"'],
    ['gt', 100, 'title gt "#"'],
    ['a value path', 38, 'emails[type eq "work" and value co "#"]'],
    ['a negated co', 40, 'not (title co "#")'],
    ['a negated eq', 100, 'not (title eq "#")'],
    ['the display of groups', 10, 'groups.display eq "#"'],
    ['the type of groups', 10, 'groups[type eq "#"]'],
  ])('accepts as many %s as weigh a thousand and rejects one more', (_name, count, condition) => {
    expect(() => repeat(count, condition)).not.toThrow();
    expect(() => repeat(count + 1, condition)).toThrow(expect.objectContaining({ status: 400, scimType: 'tooMany' }));
  });

  it('accepts as many eq as a filter may hold', () => {
    expect(() => repeat(450, 'title eq "#"')).not.toThrow();
  });

  it('counts presence like an order', () => {
    expect(() => repeat(99, 'title gt "#"')).not.toThrow();
    const conditions = Array.from({ length: 99 }, (_, index) => `title gt "${index}"`);
    expect(() => bindFilter(parseFilter(`${conditions.join(' or ')} or title pr or nickName pr`), SCHEMA)).toThrow(
      expect.objectContaining({ scimType: 'tooMany' }),
    );
  });

  it.each([
    ['nickName co "x" or', ''],
    ['(nickName pr and nickName co "x") or', ''],
    ['not (', ')'],
  ])('weighs eq like other conditions where every resource is read: %s … %s', (before, after) => {
    expect(() => bindFilter(parseFilter(`${before} ${equalities(101)}${after}`), SCHEMA)).toThrow(
      expect.objectContaining({ status: 400, scimType: 'tooMany' }),
    );
  });

  it.each([
    ['(nickName eq "y" and nickName co "x") or', ''],
    ['nickName co "x" and (', ')'],
  ])('weighs eq by its index where it narrows down what is read: %s … %s', (before, after) => {
    expect(() => bindFilter(parseFilter(`${before} ${equalities(101)}${after}`), SCHEMA)).not.toThrow();
  });

  it('names the numbers', () => {
    expect(() => repeat(41, 'title co "#"')).toThrow(
      'filter: expected conditions that weigh at most 1000 together, found 1025 ' +
        '(eq weighs 1 where an index answers it; co, sw, ew 25; members and groups, but for eq of their value, 100; ' +
        'any other 10)',
    );
  });

  it('weighs a condition once however often it is repeated', () => {
    expect(() => repeat(400, 'title co "x"')).not.toThrow();
  });
});
