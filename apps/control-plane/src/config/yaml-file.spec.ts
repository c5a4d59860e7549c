import { describe, expect, it } from '@jest/globals';
import { formatProblem } from '@palisade/isolation/settings';
import { readYaml } from './yaml-file.js';

function read(text: string): unknown {
  const file = readYaml(text);
  return 'locate' in file ? { value: file.value, problems: file.problems.map(formatProblem) } : file;
}

function locate(text: string, path: readonly (string | number)[]): unknown {
  const file = readYaml(text);
  return 'locate' in file ? file.locate(path) : file;
}

describe(readYaml.name, () => {
  it('reads texts, numbers, booleans, lists and maps', () => {
    expect(read('a: [x, 1, 1.5, true, null, "2"]\nb: { c: no, 1: off }')).toEqual({
      value: { a: ['x', 1, 1.5, true, null, '2'], b: { c: 'no', 1: 'off' } },
      problems: [],
    });
  });

  it('reads a date as a text, and keys as they are written', () => {
    expect(read('2026-01-01: 2026-01-01\n007: 1\ntrue: ~')).toEqual({
      value: { '2026-01-01': '2026-01-01', '007': 1, true: null },
      problems: [],
    });
  });

  it('reads nothing as nothing', () => {
    expect(read('# only a comment\n')).toEqual({ value: null, problems: [] });
  });

  it('repeats what an alias stands for', () => {
    expect(read('a: &x { b: [1] }\nc: *x')).toEqual({ value: { a: { b: [1] }, c: { b: [1] } }, problems: [] });
  });

  it.each([
    ['a: [', 1, 5],
    ['a: 1\n b: 2', 2, 3],
    ['a: "x', 1, 6],
    ['a: 1\n---\nb: 1', 3, 1],
    ['a: @x', 1, 4],
    ['%YAML 1.1\n---\na: 1', 1, 1],
    ['\ta: 1', 1, 3],
    ['a: b: c', 1, 5],
  ])('tells where %j is no YAML', (text, line, column) => {
    expect(read(text)).toEqual({ position: { line, column }, text: expect.stringMatching(/^not YAML: ./) });
  });

  it('does not repeat what it could not read, as that may be a secret', () => {
    expect(read('[a]\nkey: hunter2\n')).toEqual({
      position: { line: 2, column: 1 },
      text: 'not YAML: wrong indentation, or an entry after the end of a value',
    });
  });

  it.each([
    ['an alias of nothing', 'a: *x', 'a: expected the alias of an anchor before it that does not contain it'],
    [
      'an alias of what contains it',
      'a: &x [*x]',
      'a[0]: expected the alias of an anchor before it that does not contain it',
    ],
    ['a list as a key', '? [a]\n: 1', 'expected texts as keys'],
    ['a key twice', 'a: 1\na: 2', 'a: expected once, found twice'],
    ['a number and a text as the same key', '1: a\n"1": b', '1: expected once, found twice'],
    ['__proto__', 'a: { __proto__: 1 }', 'a.__proto__: expected another name, as every object has this one'],
    ['constructor', 'constructor: 1', 'constructor: expected another name, as every object has this one'],
    ['prototype', 'prototype: 1', 'prototype: expected another name, as every object has this one'],
    ['toString', 'toString: 1', 'toString: expected another name, as every object has this one'],
    ['a tag', 'a: !!python/object x', 'a: expected a value without the tag !!python/object'],
  ])('rejects %s', (_what, text, problem) => {
    expect(read(text)).toMatchObject({ problems: [problem] });
  });

  it('rejects repeating more than 100 times', () => {
    const [first, ...more] = Array.from({ length: 10 }, (_, level) => `a${level}`);
    const bomb = more.map((name, level) => `${name}: &${name} [${`*a${level}, `.repeat(10)}]`);
    expect(read([`${first}: &${first} [x, x]`, ...bomb].join('\n'))).toMatchObject({
      problems: expect.arrayContaining([expect.stringMatching(/expected at most 100 uses of aliases$/)]),
    });
  });

  it('rejects more than 20,000 keys of one object', () => {
    const text = Array.from({ length: 20_001 }, (_, index) => `k${index}: 1`).join('\n');
    expect(read(text)).toEqual({ value: {}, problems: ['expected at most 20000 keys, found 20001'] });
  });

  it.each([
    ['[', 17],
    ['{a: ', 17],
    ['- ', 17],
    ['[', 20_000],
  ])('rejects %j nested %i levels deep', (text, levels) => {
    expect(read(text.repeat(levels))).toEqual({
      position: expect.anything(),
      text: 'not YAML: expected at most 16 levels',
    });
  });

  it.each([
    [['a'], 1, 1],
    [['a', 'b'], 2, 3],
    [['a', 'c', 1], 5, 7],
    [['d', 'b'], 2, 3],
    [['a', 'missing', 'too'], 1, 1],
    [['a', 'c', 9], 3, 3],
  ])('finds %j, or what is closest', (path, line, column) => {
    expect(locate('a: &x\n  b: 1\n  c:\n    - 1\n    - 2\nd: *x', path)).toEqual({ line, column });
  });

  it('finds nothing where nothing is', () => {
    expect([locate('a: 1', ['b']), locate('a: 1', [])]).toEqual([undefined, undefined]);
  });
});
