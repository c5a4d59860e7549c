import type { ComparisonOperator } from '@palisade/domain';
import { badRequest } from '../scim.errors.js';
import type {
  ComparisonExpression,
  FilterExpression,
  FilterLiteral,
  LogicalExpression,
  PatchPathExpression,
} from './filter-expression.js';
import { FilterLexer } from './filter-lexer.js';

/** In UTF-16 units, for filters and PATCH paths alike. */
export const MAX_FILTER_LENGTH = 8192;
/** How deep parentheses, with or without `not`, and value paths may nest. */
export const MAX_FILTER_DEPTH = 32;
/** How many comparisons, `and`s, `or`s, `not`s and value paths one filter may hold. */
export const MAX_FILTER_NODES = 1000;

export interface ParseFilterOptions {
  /** A literal that is neither in quotation marks nor a number, true, false or null counts as a string. Default false. */
  readonly unquotedLiterals?: boolean;
}

/**
 * Reads a filter (RFC 7644 §3.4.2.2) by the grammar of filter.abnf, whole: nothing may be left over. Time is linear
 * in the length, recursion goes no deeper than `MAX_FILTER_DEPTH`.
 *
 * @throws {ScimError} 400 invalidFilter, naming the offset, what was expected and what was found
 */
export function parseFilter(text: string, options: ParseFilterOptions = {}): FilterExpression {
  checkLength(text, 'filter', 'invalidFilter');
  return new FilterParser(new FilterLexer(text, 'filter'), options).filter();
}

/**
 * Reads the `path` of a PATCH operation (RFC 7644 §3.5.2), within the same bounds.
 *
 * @throws {ScimError} 400 invalidFilter for what is wrong between `[` and `]`, otherwise 400 invalidPath
 */
export function parsePatchPath(text: string, options: ParseFilterOptions = {}): PatchPathExpression {
  checkLength(text, 'path', 'invalidPath');
  return new FilterParser(new FilterLexer(text, 'path'), options).patchPath();
}

function checkLength(text: string, subject: string, scimType: 'invalidFilter' | 'invalidPath'): void {
  if (text.length > MAX_FILTER_LENGTH) {
    throw badRequest(
      scimType,
      `${subject}: expected at most ${MAX_FILTER_LENGTH} characters, found ${text.length} at offset ${MAX_FILTER_LENGTH}`,
    );
  }
}

const OPERATORS: readonly ComparisonOperator[] = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'];

const KEYWORD_LITERALS: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
]);

/** RFC 7159 §6. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

const ATTRIBUTE_NAME = String.raw`[A-Za-z$][\w$-]*`;
/** attrPath = URI / (ATTRNAME [subAttr]); the characters of a URI are those of RFC 3986 appendix A. */
const ATTRIBUTE_PATH = new RegExp(
  String.raw`^(?:${ATTRIBUTE_NAME}(?:\.${ATTRIBUTE_NAME})?|[A-Za-z][\w+.-]*:[\w.~:/?#@!$&'*+,;=%-]+(?<!:))$`,
);
/** subAttr = "." ATTRNAME */
const SUB_ATTRIBUTE = new RegExp(String.raw`^\.${ATTRIBUTE_NAME}$`);

/** RFC 7644 §3.4.2.1 itself writes `filter=(meta.resourceType eq User) or (meta.resourceType eq Group)`. */
const RESOURCE_TYPE_PATH = /(?:^|:)meta\.resourceType$/i;
const RESOURCE_TYPE = /^[A-Za-z]+$/;

type Operands = [FilterExpression, ...FilterExpression[]];

/** One method per rule of filter.abnf. */
class FilterParser {
  private depth = 0;
  private nodes = 0;
  private isInValuePath = false;

  constructor(
    private readonly lexer: FilterLexer,
    private readonly options: ParseFilterOptions,
  ) {}

  /** FILTER = OWS orExp OWS */
  filter(): FilterExpression {
    this.lexer.skipSpace();
    const expression = this.orExp();
    this.lexer.skipSpace();
    this.lexer.expectEnd('"and", "or" or the end of the filter');
    return expression;
  }

  /** PATH = OWS (attrPath / valuePath [subAttr]) OWS */
  patchPath(): PatchPathExpression {
    this.lexer.scimType = 'invalidPath';
    this.lexer.skipSpace();
    const path = this.attrPath('an attribute path');
    if (this.lexer.peek() !== '[') {
      this.lexer.skipSpace();
      this.lexer.expectEnd('the end of the path');
      return { path };
    }
    this.lexer.scimType = 'invalidFilter';
    const filter = this.valFilter();
    this.lexer.scimType = 'invalidPath';
    const subAttribute = this.subAttr();
    this.lexer.skipSpace();
    this.lexer.expectEnd('the end of the path');
    return subAttribute === undefined ? { path, filter } : { path, filter, subAttribute };
  }

  /** orExp = andExp *(RWS "or" RWS andExp) */
  private orExp(): FilterExpression {
    const operands: Operands = [this.andExp()];
    while (this.acceptKeyword('or')) {
      operands.push(this.andExp());
    }
    return this.logical('or', operands);
  }

  /** andExp = factor *(RWS "and" RWS factor) */
  private andExp(): FilterExpression {
    const operands: Operands = [this.factor()];
    while (this.acceptKeyword('and')) {
      operands.push(this.factor());
    }
    return this.logical('and', operands);
  }

  /** factor = negation / group / (valuePath [subAttr attrTest]) / (attrPath attrTest) */
  private factor(): FilterExpression {
    if (this.lexer.peek() === '(') {
      return this.group();
    }
    const pathOffset = this.lexer.offset;
    if (this.acceptWord('not')) {
      return this.negation();
    }
    const path = this.attrPath('an attribute path, "not" or "("');
    return this.lexer.peek() === '[' ? this.valuePath(path, pathOffset) : this.attrTest(path, pathOffset);
  }

  /** negation = "not" OWS group */
  private negation(): FilterExpression {
    this.lexer.skipSpace();
    return this.count({ kind: 'not', operand: this.group() });
  }

  /** group = "(" OWS orExp OWS ")" */
  private group(): FilterExpression {
    return this.nested('(', ')');
  }

  /** valuePath = attrPath "[" OWS valFilter OWS "]", and factor's [subAttr attrTest]: `a[b].c eq 1` is `a[b and c eq 1]`. */
  private valuePath(path: string, pathOffset: number): FilterExpression {
    const filter = this.valFilter();
    const subOffset = this.lexer.offset + 1;
    const subAttribute = this.subAttr();
    const whole =
      subAttribute === undefined ? filter : this.logical('and', [filter, this.attrTest(subAttribute, subOffset)]);
    return this.count({ kind: 'valuePath', path, pathOffset, filter: whole });
  }

  /** valFilter = orExp, but with no valuePath inside; read with its brackets. */
  private valFilter(): FilterExpression {
    if (this.isInValuePath) {
      this.lexer.fail('no value path inside a value path');
    }
    this.isInValuePath = true;
    const filter = this.nested('[', ']');
    this.isInValuePath = false;
    return filter;
  }

  /** attrTest = RWS ("pr" / (compareOp RWS compValue)) */
  private attrTest(path: string, pathOffset: number): FilterExpression {
    const expected = `a space and an operator (${OPERATORS.join(', ')} or pr)`;
    if (!this.lexer.skipSpace()) {
      this.lexer.fail(expected);
    }
    const operatorOffset = this.lexer.offset;
    const word = this.lexer.word().toLowerCase();
    if (word === 'pr') {
      return this.count({ kind: 'present', path, pathOffset });
    }
    const operator = OPERATORS.find((known) => known === word);
    if (operator === undefined) {
      // RFC 7644 §3.4.2.2: "MUST decline to filter results if the specified filter operation is not recognized".
      this.lexer.fail(expected, operatorOffset);
    }
    if (!this.lexer.skipSpace()) {
      this.lexer.fail(`a space and a value after "${operator}"`);
    }
    const valueOffset = this.lexer.offset;
    return this.count({ kind: 'compare', path, pathOffset, operator, valueOffset, ...this.compValue(path) });
  }

  /** compValue = "false" / "null" / "true" / number / string / unquoted */
  private compValue(path: string): Pick<ComparisonExpression, 'value' | 'source'> {
    if (this.lexer.peek() === '"') {
      return { value: this.lexer.string() };
    }
    const { unquotedLiterals = false } = this.options;
    const start = this.lexer.offset;
    const text = unquotedLiterals ? this.lexer.unquoted() : this.lexer.word();
    const value = readBareLiteral(text);
    if (value === undefined) {
      return (unquotedLiterals && text !== '') || (RESOURCE_TYPE_PATH.test(path) && RESOURCE_TYPE.test(text))
        ? { value: text }
        : this.lexer.fail('a value (string in quotation marks, number, true, false or null)', start);
    }
    return unquotedLiterals && value !== null ? { value, source: text } : { value };
  }

  /** attrPath = URI / (ATTRNAME [subAttr]) */
  private attrPath(expected: string): string {
    const start = this.lexer.offset;
    const path = this.lexer.word();
    return ATTRIBUTE_PATH.test(path) ? path : this.lexer.fail(expected, start);
  }

  /** subAttr = "." ATTRNAME; undefined when there is none. */
  private subAttr(): string | undefined {
    if (this.lexer.peek() !== '.') {
      return undefined;
    }
    const start = this.lexer.offset;
    const text = this.lexer.word();
    return SUB_ATTRIBUTE.test(text) ? text.slice(1) : this.lexer.fail('"." and the name of a sub-attribute', start);
  }

  /** An orExp between brackets, one level deeper. */
  private nested(open: '(' | '[', close: ')' | ']'): FilterExpression {
    if (this.depth === MAX_FILTER_DEPTH) {
      this.lexer.fail(`at most ${MAX_FILTER_DEPTH} levels of nesting`);
    }
    this.lexer.expect(open, `"${open}"`);
    this.depth++;
    this.lexer.skipSpace();
    const expression = this.orExp();
    this.lexer.skipSpace();
    this.lexer.expect(close, `"and", "or" or "${close}"`);
    this.depth--;
    return expression;
  }

  /** RWS keyword RWS. Stays where it is when something else comes. */
  private acceptKeyword(keyword: 'and' | 'or'): boolean {
    const start = this.lexer.offset;
    const hasSpace = this.lexer.skipSpace();
    const wordOffset = this.lexer.offset;
    if (!this.acceptWord(keyword)) {
      this.lexer.offset = start;
      return false;
    }
    if (!hasSpace) {
      this.lexer.fail(`a space before "${keyword}"`, wordOffset);
    }
    if (!this.lexer.skipSpace()) {
      this.lexer.fail(`a space after "${keyword}"`);
    }
    return true;
  }

  private acceptWord(keyword: string): boolean {
    const start = this.lexer.offset;
    const isNext = this.lexer.word().toLowerCase() === keyword;
    this.lexer.offset = isNext ? this.lexer.offset : start;
    return isNext;
  }

  private logical(kind: LogicalExpression['kind'], [first, second, ...rest]: Operands): FilterExpression {
    return second === undefined ? first : this.count({ kind, operands: [first, second, ...rest] });
  }

  private count(expression: FilterExpression): FilterExpression {
    this.nodes++;
    if (this.nodes > MAX_FILTER_NODES) {
      this.lexer.fail(`at most ${MAX_FILTER_NODES} conditions`);
    }
    return expression;
  }
}

function readBareLiteral(text: string): FilterLiteral | undefined {
  const keyword = KEYWORD_LITERALS.get(text.toLowerCase());
  if (keyword !== undefined) {
    return keyword;
  }
  const number = NUMBER.test(text) ? Number(text) : Number.NaN;
  // Adding 0 turns -0 into 0.
  return Number.isFinite(number) ? number + 0 : undefined;
}
