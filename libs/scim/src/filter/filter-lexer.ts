import { badRequest } from '../scim.errors.js';

const WHITE_SPACE = /[ \t\n\r]*/y;
const WORD = /[^\s()[\]"]*/y;
const UNQUOTED = /[^ \t\n\r)\]]*/y;
const HEX_ESCAPE = /[0-9a-fA-F]{4}/y;
/** What an error message quotes: up to the next delimiter, but at least one character. */
const EXCERPT = /^[^\s()[\]]{1,40}|^./su;

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

/**
 * Reads the terminals of filter.abnf from a text, each character at most a fixed number of times. `offset` is where
 * reading goes on; what `word`, `unquoted` and `string` return has been passed.
 */
export class FilterLexer {
  offset = 0;
  /** A PATCH path is wrong in two ways: as a path, or in the filter between its brackets (RFC 7644 §3.12, table 9). */
  scimType: 'invalidFilter' | 'invalidPath' = 'invalidFilter';

  /** @param subject what the text is, for error messages */
  constructor(
    readonly text: string,
    private readonly subject: 'filter' | 'path',
  ) {}

  /** Passes white space; whether there was any. */
  skipSpace(): boolean {
    return this.match(WHITE_SPACE).length > 0;
  }

  /** Undefined at the end. */
  peek(): string | undefined {
    return this.text[this.offset];
  }

  /** Passes this character if it comes next. */
  accept(character: string): boolean {
    const isNext = this.peek() === character;
    this.offset += isNext ? 1 : 0;
    return isNext;
  }

  expect(character: string, expected: string): void {
    if (!this.accept(character)) {
      this.fail(expected);
    }
  }

  expectEnd(expected: string): void {
    if (this.offset < this.text.length) {
      this.fail(expected);
    }
  }

  /** A path, a keyword, an operator or a bare value; empty when none comes next. */
  word(): string {
    return this.match(WORD);
  }

  /** A value without quotes: all up to white space, `)` or `]`. */
  unquoted(): string {
    const start = this.offset;
    const text = this.match(UNQUOTED);
    const control = text.search(/\p{Cc}/u);
    if (control >= 0) {
      this.fail('no control character in a value', start + control);
    }
    return this.checkText(text, start);
  }

  /** A JSON string (RFC 7159 §7), from its opening quotation mark. */
  string(): string {
    const start = this.offset;
    this.expect('"', 'a string in quotation marks');
    const parts: string[] = [];
    while (!this.accept('"')) {
      parts.push(this.accept('\\') ? this.escape() : this.unescaped());
    }
    return this.checkText(parts.join(''), start);
  }

  /** @throws {ScimError} 400 always */
  fail(expected: string, offset = this.offset): never {
    const [excerpt] = EXCERPT.exec(this.text.slice(offset, offset + 41)) ?? [];
    const found = excerpt === undefined ? 'the end' : JSON.stringify(excerpt);
    throw badRequest(this.scimType, `${this.subject}: expected ${expected}, found ${found} at offset ${offset}`);
  }

  /** A run of characters that stand for themselves. */
  private unescaped(): string {
    const start = this.offset;
    for (let next = this.peek(); next !== '"' && next !== '\\'; next = this.peek()) {
      if (next === undefined) {
        this.fail('a closing quotation mark');
      }
      // RFC 7159 §7: "the control characters (U+0000 through U+001F)" must be escaped.
      if (next < ' ') {
        this.fail('control characters in a string to be escaped');
      }
      this.offset++;
    }
    return this.text.slice(start, this.offset);
  }

  /** What follows a backslash. */
  private escape(): string {
    const start = this.offset - 1;
    const letter = this.peek() ?? '';
    this.offset++;
    const hex = letter === 'u' ? this.match(HEX_ESCAPE) : '';
    const character = hex === '' ? ESCAPES.get(letter) : String.fromCharCode(Number.parseInt(hex, 16));
    return character ?? this.fail(String.raw`an escape of JSON (\" \\ \/ \b \f \n \r \t \uXXXX)`, start);
  }

  /** PostgreSQL can store neither of the two, so no attribute has such a value. */
  private checkText(text: string, start: number): string {
    if (text.includes('\0') || !text.isWellFormed()) {
      this.fail('a value without U+0000 and lone surrogates', start);
    }
    return text;
  }

  private match(pattern: RegExp): string {
    pattern.lastIndex = this.offset;
    const [text] = pattern.exec(this.text) ?? [''];
    this.offset += text.length;
    return text;
  }
}
