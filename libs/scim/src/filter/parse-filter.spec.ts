import { describe, expect, it } from '@jest/globals';
import { HANG_MS, runWithin } from '../../../domain/test/support/run-within.js';
import * as fc from 'fast-check';
import { ScimError } from '../scim.errors.js';
import { MAX_FILTER_DEPTH, MAX_FILTER_LENGTH, MAX_FILTER_NODES, parseFilter, parsePatchPath } from './parse-filter.js';
import { runs } from '../../../../test/support/effort.js';

const UNQUOTED = { unquotedLiterals: true };

/** What the parser throws, if anything. */
function errorOf(parse: () => unknown): unknown {
  try {
    parse();
    return undefined;
  } catch (error) {
    return error;
  }
}

function detailOf(text: string, options = {}): string | undefined {
  const error = errorOf(() => parseFilter(text, options));
  return error instanceof ScimError && error.status === 400 && error.scimType === 'invalidFilter'
    ? error.detail
    : undefined;
}

function nested(depth: number): string {
  return `${'('.repeat(depth)}a pr${')'.repeat(depth)}`;
}

function chain(length: number): string {
  return Array.from({ length }, () => 'a pr').join(' or ');
}

describe(parseFilter.name, () => {
  it('gives a comparison with its offsets', () => {
    expect(parseFilter(' userName eq "bjensen"')).toEqual({
      kind: 'compare',
      path: 'userName',
      pathOffset: 1,
      operator: 'eq',
      value: 'bjensen',
      valueOffset: 13,
    });
  });

  it('gives a value path with the filter inside', () => {
    expect(parseFilter('emails[type pr]')).toEqual({
      kind: 'valuePath',
      path: 'emails',
      pathOffset: 0,
      filter: { kind: 'present', path: 'type', pathOffset: 7 },
    });
  });

  it.each([
    'userName eq "bjensen"',
    'name.familyName co "O\'Malley"',
    'userName sw "J"',
    'urn:ietf:params:scim:schemas:core:2.0:User:userName sw "J"',
    'title pr',
    'meta.lastModified gt "2011-05-13T04:42:34Z"',
    'meta.lastModified ge "2011-05-13T04:42:34Z"',
    'meta.lastModified lt "2011-05-13T04:42:34Z"',
    'meta.lastModified le "2011-05-13T04:42:34Z"',
    'title pr and userType eq "Employee"',
    'title pr or userType eq "Intern"',
    'schemas eq "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"',
    'userType eq "Employee" and (emails co "example.com" or emails.value co "example.org")',
    'userType ne "Employee" and not (emails co "example.com" or emails.value co "example.org")',
    'userType eq "Employee" and (emails.type eq "work")',
    'userType eq "Employee" and emails[type eq "work" and value co "@example.com"]',
    'emails[type eq "work" and value co "@example.com"] or ims[type eq "xmpp" and value co "@foo.com"]',
  ])('[RFC7644-3.4.2.2] reads the example %s', (text) => {
    expect(parseFilter(text)).toBeDefined();
  });

  it('[RFC7644-3.4.2.2] gives and precedence over or, whichever comes first', () => {
    expect(parseFilter('a pr or b pr and c pr')).toMatchObject({
      kind: 'or',
      operands: [{ path: 'a' }, { kind: 'and', operands: [{ path: 'b' }, { path: 'c' }] }],
    });
    expect(parseFilter('a pr and b pr or c pr')).toMatchObject({
      kind: 'or',
      operands: [{ kind: 'and', operands: [{ path: 'a' }, { path: 'b' }] }, { path: 'c' }],
    });
  });

  it('[RFC7644-3.4.2.2] gives not precedence over and', () => {
    expect(parseFilter('not (a pr) and b pr')).toMatchObject({
      kind: 'and',
      operands: [{ kind: 'not' }, { path: 'b' }],
    });
    expect(parseFilter('b pr and not (a pr)')).toMatchObject({
      kind: 'and',
      operands: [{ path: 'b' }, { kind: 'not' }],
    });
  });

  it('[RFC7644-3.4.2.2] lets parentheses change the precedence', () => {
    expect(parseFilter('(a pr or b pr) and c pr')).toMatchObject({
      kind: 'and',
      operands: [{ kind: 'or' }, { path: 'c' }],
    });
    expect(parseFilter('a pr and (b pr or c pr)')).toMatchObject({
      kind: 'and',
      operands: [{ path: 'a' }, { kind: 'or' }],
    });
  });

  it('keeps a chain of one operator flat', () => {
    expect(parseFilter('a pr or b pr or c pr or d pr')).toMatchObject({
      kind: 'or',
      operands: [{ path: 'a' }, { path: 'b' }, { path: 'c' }, { path: 'd' }],
    });
  });

  it.each(['userName Eq "john"', 'userName EQ "john"', 'userName eQ "john"'])(
    '[RFC7644-3.4.2.2] reads operators in any case: %s',
    (text) => {
      expect(parseFilter(text)).toMatchObject({ path: 'userName', operator: 'eq', value: 'john' });
    },
  );

  it('reads keywords and JSON literals in any case', () => {
    expect(parseFilter('NOT (a PR) AND b eq TRUE Or c eq Null')).toMatchObject({
      kind: 'or',
      operands: [{ kind: 'and', operands: [{ kind: 'not' }, { value: true }] }, { value: null }],
    });
  });

  it.each([
    ['true', true],
    ['false', false],
    ['null', null],
    ['0', 0],
    ['-0', 0],
    ['-12.50', -12.5],
    ['1e3', 1000],
    ['1E-2', 0.01],
    ['""', ''],
    ['"a) or (b pr"', 'a) or (b pr'],
    [String.raw`"]\""`, ']"'],
  ])('[RFC7644-3.4.2.2] reads the value %s', (text, value) => {
    expect(parseFilter(`a eq ${text}`)).toMatchObject({ value });
  });

  it.each(['not (a pr)', 'not(a pr)', 'not   (a pr)'])('[RFC7644-3.4.2.2] reads %s', (text) => {
    expect(parseFilter(text)).toEqual({ kind: 'not', operand: expect.objectContaining({ path: 'a' }) });
  });

  it('accepts white space around operators and inside brackets', () => {
    expect(parseFilter('\n ( a\tpr  and  emails[ type  eq "x" ] ) ')).toMatchObject({ kind: 'and' });
  });

  it('reads a comparison of a sub-attribute behind a value path as one inside it', () => {
    expect(parseFilter('emails[type eq "work"].value eq "x" and a pr')).toMatchObject({
      kind: 'and',
      operands: [
        {
          kind: 'valuePath',
          path: 'emails',
          filter: { kind: 'and', operands: [{ path: 'type' }, { path: 'value', pathOffset: 23, value: 'x' }] },
        },
        { path: 'a' },
      ],
    });
  });

  it('reads grouping, chains and not inside a value path', () => {
    expect(parseFilter('emails[a pr and (b pr or c pr) and not (d pr)]')).toMatchObject({
      filter: { kind: 'and', operands: [{ path: 'a' }, { kind: 'or' }, { kind: 'not' }] },
    });
  });

  it.each(['$ref', 'a-b_c$9', 'name.givenName', 'urn:example:x:1.0:dept.sub', 'and', 'PR'])(
    'reads the path %s',
    (path) => {
      expect(parseFilter(`${path} eq 1`)).toMatchObject({ path });
    },
  );

  it.each([
    ['', 'an attribute path, "not" or "(", found the end at offset 0'],
    ['   ', 'an attribute path, "not" or "(", found the end at offset 3'],
    ['userName', 'a space and an operator (eq, ne, co, sw, ew, gt, ge, lt, le or pr), found the end at offset 8'],
    [
      'userName regex "x"',
      'a space and an operator (eq, ne, co, sw, ew, gt, ge, lt, le or pr), found "regex" at offset 9',
    ],
    ['userName eq', 'a space and a value after "eq", found the end at offset 11'],
    ['userName eq"x"', 'a space and a value after "eq", found "\\"x\\"" at offset 11'],
    [
      'userName eq bjensen',
      'a value (string in quotation marks, number, true, false or null), found "bjensen" at offset 12',
    ],
    ['userName eq ', 'a value (string in quotation marks, number, true, false or null), found the end at offset 12'],
    ['a eq 01', 'a value (string in quotation marks, number, true, false or null), found "01" at offset 5'],
    ['a eq +1', 'a value (string in quotation marks, number, true, false or null), found "+1" at offset 5'],
    ['a eq 1e999', 'a value (string in quotation marks, number, true, false or null), found "1e999" at offset 5'],
    ['a eq NaN', 'a value (string in quotation marks, number, true, false or null), found "NaN" at offset 5'],
    ['userName pr and', 'a space after "and", found the end at offset 15'],
    ['userName pr and(b pr)', 'a space after "and", found "(" at offset 15'],
    ['userName pr and ', 'an attribute path, "not" or "(", found the end at offset 16'],
    ['userName eq "x"or b pr', 'a space before "or", found "or" at offset 15'],
    ['(a pr', '"and", "or" or ")", found the end at offset 5'],
    ['(a pr]', '"and", "or" or ")", found "]" at offset 5'],
    ['a pr)', '"and", "or" or the end of the filter, found ")" at offset 4'],
    ['emails[type pr', '"and", "or" or "]", found the end at offset 14'],
    ['emails[]', 'an attribute path, "not" or "(", found "]" at offset 7'],
    [
      'emails[type pr].value',
      'a space and an operator (eq, ne, co, sw, ew, gt, ge, lt, le or pr), found the end at offset 21',
    ],
    ['emails[type pr].', '"." and the name of a sub-attribute, found "." at offset 15'],
    ['emails[type pr]value eq 1', '"and", "or" or the end of the filter, found "value" at offset 15'],
    ['emails[type pr]and a pr', 'a space before "and", found "and" at offset 15'],
    ['emails [type pr]', 'a space and an operator (eq, ne, co, sw, ew, gt, ge, lt, le or pr), found "[" at offset 7'],
    ['a[b[c eq 1]]', 'no value path inside a value path, found "[" at offset 3'],
    ['a[b pr and (c[d pr])]', 'no value path inside a value path, found "[" at offset 13'],
    ['not a pr', '"(", found "a" at offset 4'],
    ['not not (a pr)', '"(", found "not" at offset 4'],
    ['()', 'an attribute path, "not" or "(", found ")" at offset 1'],
    ['"userName" eq "x"', 'an attribute path, "not" or "(", found "\\"userName\\"" at offset 0'],
    ['1a pr', 'an attribute path, "not" or "(", found "1a" at offset 0'],
    ['a.b.c pr', 'an attribute path, "not" or "(", found "a.b.c" at offset 0'],
    ['a. pr', 'an attribute path, "not" or "(", found "a." at offset 0'],
    ['urn:x: pr', 'an attribute path, "not" or "(", found "urn:x:" at offset 0'],
    ['urn:x:ä pr', 'an attribute path, "not" or "(", found "urn:x:ä" at offset 0'],
    ['näme pr', 'an attribute path, "not" or "(", found "näme" at offset 0'],
    ['__proto__ pr', 'an attribute path, "not" or "(", found "__proto__" at offset 0'],
  ])('[RFC7644-3.12] rejects %j with invalidFilter, expected and found', (text, detail) => {
    expect(detailOf(text)).toBe(`filter: expected ${detail}`);
  });

  it.each([
    'a pr b pr',
    'a pr and b pr c',
    'userName eq "x" "y"',
    'a eq 1 ; b pr',
    '(a pr) (b pr)',
    'a eq 1 2',
    'a pr or b pr)',
  ])('never cuts a filter short: %s', (text) => {
    expect(detailOf(text)).toContain('"and", "or" or the end of the filter');
  });

  it.each([
    ['externalId eq 1a-b(c', '1a-b(c'],
    ['externalId eq O"Malley', 'O"Malley'],
    ['(externalId eq abc)', 'abc'],
    ['a[b eq abc]', 'abc'],
    ['externalId eq "quoted"', 'quoted'],
  ])('takes a bare literal as a string when asked to: %s', (text, value) => {
    expect(JSON.stringify(parseFilter(text, UNQUOTED))).toContain(`"value":${JSON.stringify(value)}`);
  });

  it('takes a bare number, true or false as such, with its text, when asked for bare strings', () => {
    expect(parseFilter('a eq 0.50', UNQUOTED)).toMatchObject({ value: 0.5, source: '0.50' });
    expect(parseFilter('a eq True', UNQUOTED)).toMatchObject({ value: true, source: 'True' });
    expect(parseFilter('a eq null', UNQUOTED)).not.toHaveProperty('source');
    expect(parseFilter('a eq 1e999', UNQUOTED)).toMatchObject({ value: '1e999' });
  });

  it('rejects an empty bare literal', () => {
    expect(detailOf('(a eq )', UNQUOTED)).toContain('found ")" at offset 6');
  });

  it('keeps to the length that it allows', () => {
    const filter = `a eq "${'x'.repeat(MAX_FILTER_LENGTH - 7)}"`;
    expect(parseFilter(filter)).toMatchObject({ kind: 'compare' });
    expect(detailOf(` ${filter}`)).toBe('filter: expected at most 8192 characters, found 8193 at offset 8192');
  });

  it('keeps to the depth that it allows', () => {
    expect(parseFilter(nested(MAX_FILTER_DEPTH))).toMatchObject({ kind: 'present' });
    expect(detailOf(nested(MAX_FILTER_DEPTH + 1))).toBe(
      'filter: expected at most 32 levels of nesting, found "(" at offset 32',
    );
    expect(detailOf(`${'not ('.repeat(33)}a pr${')'.repeat(33)}`)).toContain('at most 32 levels');
    expect(detailOf(`${'('.repeat(32)}a[b pr]${')'.repeat(32)}`)).toContain('at most 32 levels');
  });

  it('counts open levels only, not all groups', () => {
    expect(parseFilter(Array.from({ length: 100 }, () => '(a pr)').join(' or '))).toMatchObject({ kind: 'or' });
  });

  it('keeps to the number of conditions that it allows', () => {
    expect(parseFilter(chain(MAX_FILTER_NODES - 1))).toMatchObject({ kind: 'or' });
    expect(detailOf(chain(MAX_FILTER_NODES))).toContain('expected at most 1000 conditions');
  });

  it.each([
    ['100,000 parentheses', '('.repeat(100_000)],
    ['8,192 parentheses', '('.repeat(8192)],
    ['8,190 nots', 'not('.repeat(2047)],
    ['nested brackets', 'a['.repeat(4096)],
    ['spaces', ' '.repeat(8192)],
    ['spaces before a closing parenthesis', `${'('.repeat(32)}a pr${`${' '.repeat(250)})`.repeat(32)}`],
    ['an endless word', `a pr ${'x'.repeat(8000)}`],
    ['an endless path', `${'a.'.repeat(4000)} pr`],
    ['an endless URN', `${'urn:'.repeat(2000)} pr`],
    ['an endless number', `a eq ${'1'.repeat(8000)}x`],
    ['an open string of escapes', `a eq "${String.raw`\u0041`.repeat(1300)}`],
    ['backslashes', `a eq "${'\\'.repeat(8000)}`],
    ['a chain', chain(1100)],
  ])('answers %s at once', (_, text) => {
    const error = runWithin(HANG_MS, () => errorOf(() => parseFilter(text)));
    expect(error === undefined || error instanceof ScimError).toBe(true);
  });

  it('throws nothing but ScimError, whatever the text', () => {
    const token = fc.constantFrom(
      '(',
      ')',
      '[',
      ']',
      '"',
      '\\',
      ' ',
      'a',
      'emails',
      'urn:x:y',
      '.',
      'not',
      'and',
      'or',
      'eq',
      'pr',
      '1',
      'null',
      '"x"',
      '\ud800',
    );
    const junk = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 100 }),
      fc.array(token, { maxLength: 40 }).map((tokens) => tokens.join('')),
      fc.array(token, { maxLength: 40 }).map((tokens) => tokens.join(' ')),
    );
    fc.assert(
      fc.property(junk, fc.boolean(), (text, unquotedLiterals) => {
        for (const parse of [parseFilter, parsePatchPath]) {
          const error = errorOf(() => parse(text, { unquotedLiterals }));
          expect(error === undefined || error instanceof ScimError).toBe(true);
        }
      }),
      { numRuns: runs(500) },
    );
  });
});

describe('the name of a resource type without quotation marks', () => {
  it('is read after meta.resourceType, as RFC 7644 §3.4.2.1 writes it', () => {
    const text = '(meta.resourceType eq User) or (META.resourcetype eq Group)';
    const quoted = '(meta.resourceType eq "User") or (META.resourcetype eq "Group")';
    const values = (filter: string) =>
      [...JSON.stringify(parseFilter(filter)).matchAll(/"value":("\w+")/g)].map(([, value]) => value);
    expect(values(text)).toEqual(['"User"', '"Group"']);
    expect(values(quoted)).toEqual(values(text));
  });

  it.each(['userName eq User', 'meta.resourceType eq User1', 'meta.resourceType eq', 'xmeta.resourceType eq User'])(
    'is not read elsewhere: %s',
    (text) => {
      expect(errorOf(() => parseFilter(text))).toMatchObject({ status: 400, scimType: 'invalidFilter' });
    },
  );
});

describe(parsePatchPath.name, () => {
  it.each([
    ['members', { path: 'members' }],
    ['name.familyName', { path: 'name.familyName' }],
    [
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:employeeNumber',
      { path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:employeeNumber' },
    ],
    [
      'addresses[type eq "work"]',
      {
        path: 'addresses',
        filter: { kind: 'compare', path: 'type', pathOffset: 10, operator: 'eq', value: 'work', valueOffset: 18 },
      },
    ],
    [
      'members[value eq "2819c223"].displayName',
      {
        path: 'members',
        filter: { kind: 'compare', path: 'value', pathOffset: 8, operator: 'eq', value: '2819c223', valueOffset: 17 },
        subAttribute: 'displayName',
      },
    ],
    [' members ', { path: 'members' }],
  ])('[RFC7644-3.5.2] reads the path %s', (text, expected) => {
    expect(parsePatchPath(text)).toEqual(expected);
  });

  it('reads a bare literal up to the bracket when asked to', () => {
    expect(parsePatchPath('emails[type eq work].value', UNQUOTED)).toMatchObject({
      filter: { value: 'work' },
      subAttribute: 'value',
    });
  });

  it.each([
    ['', 'an attribute path, found the end at offset 0'],
    ['__proto__.x', 'an attribute path, found "__proto__.x" at offset 0'],
    ['.value', 'an attribute path, found ".value" at offset 0'],
    ['[type eq "work"]', 'an attribute path, found "[" at offset 0'],
    ['members value', 'the end of the path, found "value" at offset 8'],
    ['members(', 'the end of the path, found "(" at offset 7'],
    ['members [value pr]', 'the end of the path, found "[" at offset 8'],
    ['emails[type pr]value', 'the end of the path, found "value" at offset 15'],
    ['emails[type pr].', '"." and the name of a sub-attribute, found "." at offset 15'],
    ['emails[type pr].a.b', '"." and the name of a sub-attribute, found ".a.b" at offset 15'],
    ['emails[type pr] .value', 'the end of the path, found ".value" at offset 16'],
    ['emails[type pr][type pr]', 'the end of the path, found "[" at offset 15'],
  ])('[RFC7644-3.12] rejects %j with invalidPath', (text, detail) => {
    expect(() => parsePatchPath(text)).toThrow(new ScimError(400, 'invalidPath', `path: expected ${detail}`));
    expect(errorOf(() => parsePatchPath(text))).toMatchObject({ status: 400, scimType: 'invalidPath' });
  });

  it.each([
    'emails[',
    'emails[]',
    'emails[type]',
    'emails[type eq]',
    'emails[type eq "work"',
    'a[b[c pr]]',
    'emails[type eq work]',
  ])('[RFC7644-3.12] rejects %j with invalidFilter', (text) => {
    expect(errorOf(() => parsePatchPath(text))).toMatchObject({ status: 400, scimType: 'invalidFilter' });
  });

  it('rejects a path that is too long with invalidPath', () => {
    expect(errorOf(() => parsePatchPath('a'.repeat(8193)))).toMatchObject({ status: 400, scimType: 'invalidPath' });
  });
});
