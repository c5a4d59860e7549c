import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { printable, cellOf, renderJson, renderJsonLine, renderRecord, renderTable, renderYaml } from './output.js';

describe(renderTable.name, () => {
  it('makes columns as wide as they must be', () => {
    const items = [{ id: 'a', pool: { name: 'premium' } }, { id: 'long-one' }];
    expect(renderTable(items, ['id', 'pool.name'])).toBe('ID        POOL NAME\na         premium\nlong-one  -\n');
  });

  it('writes the names of attributes as words', () => {
    expect(renderTable([], ['tenant_id', 'userName'])).toBe('TENANT ID  USER NAME\n');
  });

  it('shows a header when there is nothing', () => {
    expect(renderTable([], ['id'])).toBe('ID\n');
  });

  it('lets no name begin a line or steer the terminal', () => {
    expect(renderTable([{ id: 'a\r\nb\u001b[2J' }], ['id'])).toBe('ID\na\\u{d}\\u{a}b\\u{1b}[2J\n');
  });
});

describe(cellOf.name, () => {
  it.each([
    [['a', 'b'], 'a, b'],
    [[], '-'],
    [false, 'false'],
    [0, '0'],
    [{ a: 1 }, '{"a":1}'],
    [{}, '-'],
    ['x'.repeat(81), `${'x'.repeat(79)}…`],
  ])('shows %j', (value, cell) => {
    expect(cellOf({ value }, 'value')).toBe(cell);
  });

  it('shows nothing that an answer does not have itself', () => {
    expect(cellOf({}, 'constructor.name')).toBe('-');
  });
});

describe(renderRecord.name, () => {
  it('shows each field that is there', () => {
    expect(renderRecord({ id: 'a', pool: undefined, healthy: 2 })).toBe('id       a\nhealthy  2\n');
  });

  it('shows what is in fields line by line', () => {
    expect(renderRecord({ routing: { pools: ['p', 'q'] }, members: [{ value: 'a' }, { value: 'b' }] })).toBe(
      'routing.pools     p, q\nmembers[0].value  a\nmembers[1].value  b\n',
    );
  });

  it('shows that a list or an object is empty', () => {
    expect(renderRecord({ items: [], pools: {} })).toBe('items  -\npools  -\n');
  });

  it('goes no deeper than an answer of ours does', () => {
    const deep: unknown = JSON.parse(`${'{"a":'.repeat(8)}1${'}'.repeat(8)}`);
    expect(renderRecord(deep)).toBe('a.a.a.a.a.a  {"a":{"a":1}}\n');
  });

  it('lets no name of a field steer the terminal', () => {
    expect(renderRecord({ 'a\u001b[2J': { b: 1 } })).toBe('a\\u{1b}[2J.b  1\n');
  });
});

describe(printable.name, () => {
  it('shows what would turn the direction of text', () => {
    expect(printable('a\u202eb')).toBe('a\\u{202e}b');
  });
});

describe.each([
  [renderJson.name, renderJson, JSON.parse],
  [renderJsonLine.name, renderJsonLine, JSON.parse],
  [renderYaml.name, renderYaml, parse],
])('%s', (_, render, read: (text: string) => unknown) => {
  const hostile = {
    'a\u009b1m\n': ['\u001b[2J', 'a\r\nproblem', '\u202egnp', '\u0085', '\u2028', '- a: b', '# no', '\ud83d\ude00'],
  };

  it('prints nothing that steers a terminal, and keeps the value', () => {
    const text = render(hostile);
    expect(text).not.toMatch(/(?!\n)[\p{Cc}\u2028\u2029\u202a-\u202e]/u);
    expect(text).not.toMatch(/^problem/m);
    expect(read(text)).toEqual(hostile);
  });
});
