import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { parseDocument } from 'yaml';
import { extractPlainRoutes, isPlaceholder } from './plain-routes.js';

/** Undefined for a text that is no YAML, or has an alias of nothing. */
function readAll(text: string): unknown {
  const document = parseDocument(text);
  try {
    return document.errors.length > 0 ? undefined : document.toJS();
  } catch (error) {
    expect(error).toBeInstanceOf(ReferenceError);
    return undefined;
  }
}

/** What the reader of plain lists makes of a text, and YAML of its rest; undefined when all of it is left to YAML. */
function readPlain(text: string): { readonly data: unknown } | undefined {
  const routes = extractPlainRoutes(text, 'routes');
  if (routes?.rest === undefined || !isPlaceholder(parseDocument(routes.rest), routes)) {
    return undefined;
  }
  const rest = readAll(routes.rest);
  return { data: typeof rest === 'object' ? { ...rest, routes: routes.entries } : undefined };
}

describe(extractPlainRoutes.name, () => {
  it.each([
    ['routes:\n- { a: b }\n- { c: d }\n', [{ a: 'b' }, { c: 'd' }]],
    ['routes:\n  - {a: b, c: 1}', [{ a: 'b', c: 1 }]],
    [
      `routes:\n  - { a: "x*", c: 'y?' }\r\n\r\n  # comment\n  - { a: acme-* } # comment\n`,
      [{ a: 'x*', c: 'y?' }, { a: 'acme-*' }],
    ],
    ['routes:\n  - a: b\n    c: "1"\n\n  - a: 007\nother: 1\n', [{ a: 'b', c: '1' }, { a: 7 }]],
    ['x: 1\nroutes: # comment\n  -   a: b\n      c: d\n', [{ a: 'b', c: 'd' }]],
  ])('reads %j', (text, routes) => {
    expect(readPlain(text)).toMatchObject({ data: { routes } });
  });

  it.each([
    'routes:\n',
    'routes: []\n',
    'other: 1\n',
    'routes:\n  - &x { a: b }\n',
    'routes:\n  - *x\n',
    'routes:\n  - { a: *x }\n',
    'routes:\n  - { a: !!str 1 }\n',
    'routes:\n  - { a: [b] }\n',
    'routes:\n  - { a: b, a: c }\n',
    'routes:\n  - { __proto__: b }\n',
    'routes:\n  - { constructor: b }\n',
    'routes:\n  - { a: true }\n',
    'routes:\n  - { a: NULL }\n',
    'routes:\n  - { a: 1e3 }\n',
    'routes:\n  - { a: 0x1f }\n',
    'routes:\n  - { a: 1234567890123456789 }\n',
    'routes:\n  - { a: "\\u0041" }\n',
    'routes:\n  - { a: b } c\n',
    'routes:\n  - { a: b }#c\n',
    'routes:\n  - { a: b\n    }\n',
    'routes:\n  - a: b\n      c\n',
    'routes:\n  - a: b\n   c: d\n',
    'routes:\n  - a: |\n      b\n',
    'routes:\n  - a: b\n    - c\n',
    'routes:\n  - a: b\n - c: d\n',
    'routes:\n  -\n    a: b\n',
    'routes:\n\t- { a: b }\n',
    'routes:\n  - { a:b }\n',
    'routes:\n  - { a: b }\n---\n',
    'text: |\n routes:\n  - { a: b }\n',
    '"\nroutes:\n  - { a: b }\n": 1\n',
    'x: {\nroutes:\n  - { a: b }\n}\n',
    '%YAML 1.1\n---\nroutes:\n  - { a: b }\n',
  ])('leaves %j to YAML', (text) => {
    expect(readPlain(text)).toBeUndefined();
  });

  it('reads nothing in another way than YAML', () => {
    const joined = (...parts: fc.Arbitrary<string>[]) => fc.tuple(...parts).map((texts) => texts.join(''));
    const plainScalar = fc.constantFrom('b', '1', '01', 'x*', '"x"', "'y'", '1-a', 'b-?c', '"*"', '""');
    const scalar = fc.constantFrom(
      'true',
      '1e3',
      '*x',
      '- a',
      '',
      '"a',
      '#c',
      'b c',
      '0x1',
      '~',
      '"a\\n"',
      'a:',
      'a: b',
    );
    const end = fc.constantFrom('', ' # x', '  ');
    const plainItem = fc.oneof(
      joined(fc.constant('  - { a: '), plainScalar, fc.constant(', c: '), plainScalar, fc.constant(' }'), end),
      joined(fc.constant('  - a: '), plainScalar, end, fc.constant('\n    c: '), plainScalar, end),
      fc.constantFrom('', '# comment', '      # comment'),
    );
    const anyLine = fc.oneof(
      joined(
        fc.constantFrom('- { a: ', '  - {a: ', '  -   { a:'),
        scalar,
        fc.constantFrom(' }', '}', ', c: d }', '', ' } x', ' }#'),
      ),
      joined(fc.constantFrom('- a: ', '  - a: ', '    d: ', '   d: ', '     d: ', 'd: '), scalar, end),
      fc.constantFrom('---', '...', 'other: 1', '"q": 1', '  -', '\t', 'routes:', '|', '}', 'x: |', 'x: "', '? a'),
    );
    const lines = fc.tuple(
      fc.array(plainItem, { maxLength: 4 }),
      fc.array(anyLine, { maxLength: 1 }),
      fc.array(plainItem, { maxLength: 3 }),
    );
    let compared = 0;
    fc.assert(
      fc.property(
        fc.array(anyLine, { maxLength: 1 }),
        lines,
        fc.constantFrom('\n', '\r\n'),
        (before, items, newline) => {
          const text = [...before, 'routes:', ...items.flat(), ''].join('\n').replaceAll('\n', newline);
          const plain = readPlain(text);
          if (plain !== undefined) {
            compared += 1;
            expect(plain.data).toEqual(readAll(text));
          }
        },
      ),
      { numRuns: 3000 },
    );
    expect(compared).toBeGreaterThan(500);
  });
});
