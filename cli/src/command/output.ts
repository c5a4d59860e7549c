import { isObject } from '@palisade/domain';
import { Document, visit } from 'yaml';

const GAP = '  ';
const MAX_CELL_LENGTH = 80;
const NOTHING = '-';
/** Deeper levels are shown as JSON; answers come from outside, so their depth needs a bound. */
const MAX_DEPTH = 6;

/** The table cell for what an answer has at `path` (`routing.pool`). Lists are joined, objects are JSON. */
export function cellOf(answer: unknown, path: string): string {
  const text = textOf(valueAt(answer, path));
  return text.length > MAX_CELL_LENGTH ? `${text.slice(0, MAX_CELL_LENGTH - 1)}…` : text;
}

/** The value at a dotted path; undefined when there is none. */
export function valueAt(answer: unknown, path: string): unknown {
  let value = answer;
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) {
      return undefined;
    }
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

/** A value as one line of text, not shortened. */
export function textOf(value: unknown): string {
  if (value === undefined || value === null || value === '') {
    return NOTHING;
  }
  if (Array.isArray(value)) {
    return value.length === 0 ? NOTHING : value.map(textOf).join(', ');
  }
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text === '{}' ? NOTHING : printable(text);
}

/** A header and one line for each item, in columns as wide as their longest cell. */
export function renderTable(items: readonly unknown[], columns: readonly string[]): string {
  const header = columns.map(titleOf);
  return align([header, ...items.map((item) => columns.map((column) => cellOf(item, column)))]);
}

/** `tenant_id`, `routing.pool` and `displayName` as words. */
function titleOf(column: string): string {
  return column
    .replaceAll(/[._]/g, ' ')
    .replaceAll(/[a-z](?=[A-Z])/g, '$& ')
    .toUpperCase();
}

/** One line for each field of the answer: `routing.pool` for a field of an object, `members[0].value` for one in a list. */
export function renderRecord(answer: unknown): string {
  return typeof answer === 'object' && answer !== null ? align(linesOf(answer, '', 0)) : `${textOf(answer)}\n`;
}

function linesOf(value: unknown, path: string, depth: number): string[][] {
  if (value === undefined || value === null) {
    return [];
  }
  if (depth < MAX_DEPTH && Array.isArray(value) && value.some(isObject)) {
    return value.flatMap((item, index) => linesOf(item, `${path}[${index}]`, depth + 1));
  }
  if (depth < MAX_DEPTH && isObject(value) && Object.keys(value).length > 0) {
    const prefix = path === '' ? '' : `${path}.`;
    return Object.entries(value).flatMap(([name, field]) => linesOf(field, prefix + printable(name), depth + 1));
  }
  return [[path, textOf(value)]];
}

function align(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, index) => {
      widths[index] = Math.max(widths[index] ?? 0, cell.length);
    });
  }
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, index) => cell.padEnd(widths[index] ?? 0))
          .join(GAP)
          .trimEnd()}\n`,
    )
    .join('');
}

const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Text that is safe to print: names come from identity providers, and control characters in them could steer the terminal
 * or start a line that looks like ours. Each becomes visible as `\u{…}`.
 */
export function printable(text: string): string {
  return text.replaceAll(UNPRINTABLE, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

/** Indented JSON that is safe to print: what could steer the terminal is escaped as JSON allows it, so the value is the same. */
export function renderJson(value: unknown): string {
  return `${escapeUnprintable(JSON.stringify(value, undefined, 2))}\n`;
}

/** One line of JSON, as safe to print as {@link renderJson}. */
export function renderJsonLine(value: unknown): string {
  return `${escapeUnprintable(JSON.stringify(value))}\n`;
}

/** YAML that is safe to print; texts with unprintable characters are quoted, and these escaped. */
export function renderYaml(value: unknown): string {
  const document = new Document(value, { aliasDuplicateObjects: false });
  visit(document, {
    Scalar: (_, scalar) => {
      if (typeof scalar.value === 'string' && scalar.value.search(UNPRINTABLE) !== -1) {
        scalar.type = 'QUOTE_DOUBLE';
      }
    },
  });
  return escapeUnprintable(document.toString({ lineWidth: 0 }));
}

/** In JSON, and in the quotes of YAML, such characters occur in texts only, except for the ends of lines. */
function escapeUnprintable(text: string): string {
  return text.replaceAll(UNPRINTABLE, (character) =>
    character === '\n' ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
