import { isMap, isScalar, isSeq, type Document } from 'yaml';
import type { Path } from '../findings/path.js';
import type { Position } from './position.js';

type Entry = Record<string, string | number>;

/** The items of one list at the top level, cut out of a text, when each has one of the two plain forms. */
export interface PlainRoutes {
  readonly key: string;
  readonly entries: readonly Entry[];
  /** The text with an empty list in their place; absent when some line is not plain. */
  readonly rest?: string;
  readonly irregularLine?: number;
  /** Of the list's key. */
  readonly headerOffset: number;
  readonly headerLine: number;
  /** How many lines less than the text the rest has. */
  readonly removedLines: number;
  readonly locate: (path: Path) => Position | undefined;
}

const IGNORED_LINE = /^ *(?:#.*)?\r?$/;
const END_OF_LINE = / *(?: #.*)?\r?$/y;
const DASH = /^( *)-( +)/;
/** In quotes or not; nothing that YAML would read in another way than as text, or as an integer. */
const PAIR = /([a-z][a-z_]{0,39}): +(?:"([\w*?-]*)"|'([\w*?-]*)'|([a-z0-9][\w*?-]*))/y;
const COMMA = / *, */y;
const OPEN = /\{ */y;
const CLOSE = / *\}/y;

/** Plain texts that YAML reads as something else. */
const NOT_TEXT = /^(?:true|false|null|\d+e-?\d+|0x[\da-f]+|0o[0-7]+)$/i;
const INTEGER = /^\d{1,15}$/;

/**
 * Cuts the list at `key` out of a text, when all of its items have one of these forms and nothing else:
 *
 *     - { namespace: acme-*, pool: premium, weight: 1 }   # one line
 *     - namespace: "acme-*"                               # a line for each key
 *       pool: premium
 *
 * Undefined when there is no such key, or nothing below it. Whether the text at the key is the key, and not a part of a longer text, is seen
 * once the rest has been read: `isPlaceholder`.
 */
export function extractPlainRoutes(text: string, key: string): PlainRoutes | undefined {
  const header = new RegExp(`^${key}:(?: *| +#.*)\\r?\\n`, 'm').exec(text);
  if (header === null || text.startsWith('%')) {
    return undefined;
  }
  const { index: headerOffset } = header;
  const headerLine = text.slice(0, headerOffset).split('\n').length;
  const scanner = new Scanner(text, headerOffset + header[0].length, headerLine + 1);
  const irregularLine = scanner.scan();
  const removedLines = scanner.line - headerLine - 1;
  if (scanner.entries.length === 0) {
    return undefined;
  }
  return {
    key,
    entries: scanner.entries,
    rest:
      irregularLine === undefined
        ? `${text.slice(0, headerOffset)}${key}: []\n${text.slice(scanner.offset)}`
        : undefined,
    irregularLine,
    headerOffset,
    headerLine,
    removedLines,
    locate: ([first, index]) => (first === key && typeof index === 'number' ? scanner.positions[index] : undefined),
  };
}

/** Whether the document has an empty list exactly where the list was cut out. */
export function isPlaceholder({ contents }: Document.Parsed, { key, headerOffset }: PlainRoutes): boolean {
  const pair = isMap(contents)
    ? contents.items.find(
        (each) => isScalar(each.key) && each.key.value === key && each.key.range?.[0] === headerOffset,
      )
    : undefined;
  return isSeq(pair?.value) && pair.value.items.length === 0;
}

class Scanner {
  readonly entries: Entry[] = [];
  readonly positions: Position[] = [];
  #dashColumn: number | undefined;
  /** Where the keys of an item of several lines begin; undefined when the item is complete. */
  #keyColumn: number | undefined;

  constructor(
    private readonly text: string,
    public offset: number,
    public line: number,
  ) {}

  /** Reads up to the end of the list; returns the number of the first line that is not plain. */
  scan(): number | undefined {
    while (this.offset < this.text.length) {
      const newline = this.text.indexOf('\n', this.offset);
      const next = newline === -1 ? this.text.length : newline + 1;
      const line = this.text.slice(this.offset, newline === -1 ? next : newline);
      if (/^[A-Za-z_"']/.test(line)) {
        return undefined;
      }
      if (!IGNORED_LINE.test(line) && !this.#readItem(line) && !this.#readKey(line)) {
        return this.line;
      }
      this.offset = next;
      this.line += 1;
    }
    return undefined;
  }

  #readItem(line: string): boolean {
    const [start, indent, gap] = DASH.exec(line) ?? [];
    if (start === undefined || indent === undefined || gap === undefined) {
      return false;
    }
    const column = indent.length;
    if (column !== (this.#dashColumn ?? column)) {
      return false;
    }
    this.#dashColumn = column;
    const entry: Entry = {};
    this.entries.push(entry);
    this.positions.push({ line: this.line, column: start.length + 1 });
    this.#keyColumn = undefined;
    const at = accept(OPEN, line, start.length);
    if (at !== undefined) {
      return readFlow(line, at, entry);
    }
    this.#keyColumn = start.length;
    return readBlock(line, start.length, entry);
  }

  #readKey(line: string): boolean {
    const entry = this.entries.at(-1);
    const column = line.search(/[^ ]/);
    return entry !== undefined && column === this.#keyColumn && readBlock(line, column, entry);
  }
}

/** `a: b, c: d }` and the end of the line. */
function readFlow(line: string, start: number, entry: Entry): boolean {
  let at: number | undefined = start;
  do {
    at = readPair(line, at, entry);
    if (at === undefined) {
      return false;
    }
    const close = accept(CLOSE, line, at);
    if (close !== undefined) {
      return accept(END_OF_LINE, line, close) !== undefined;
    }
    at = accept(COMMA, line, at);
  } while (at !== undefined);
  return false;
}

/** `a: b` and the end of the line. */
function readBlock(line: string, start: number, entry: Entry): boolean {
  const at = readPair(line, start, entry);
  return at !== undefined && accept(END_OF_LINE, line, at) !== undefined;
}

/** Adds one pair to the entry and returns where it ends; undefined when there is none, or the key is there already. */
function readPair(line: string, start: number, entry: Entry): number | undefined {
  PAIR.lastIndex = start;
  const [, key, double, single, plain] = PAIR.exec(line) ?? [];
  const value = double ?? single ?? (plain === undefined ? undefined : plainValue(plain));
  if (key === undefined || value === undefined || key in entry) {
    return undefined;
  }
  entry[key] = value;
  return PAIR.lastIndex;
}

function plainValue(text: string): string | number | undefined {
  if (INTEGER.test(text)) {
    return Number(text);
  }
  return /^\d+$/.test(text) || NOT_TEXT.test(text) ? undefined : text;
}

/** Where the match ends; undefined when there is none at `start`. */
function accept(pattern: RegExp, line: string, start: number): number | undefined {
  pattern.lastIndex = start;
  return pattern.test(line) ? pattern.lastIndex : undefined;
}
