import { printable } from './printable.js';

const GAP = '  ';
const MAX_CELL_LENGTH = 80;
const NOTHING = '-';

/** One cell of what an answer has at `path` (`routing.pool`). Lists are joined, objects are JSON. */
export function cellOf(answer: unknown, path: string): string {
  const text = textOf(valueAt(answer, path));
  return text.length > MAX_CELL_LENGTH ? `${text.slice(0, MAX_CELL_LENGTH - 1)}…` : text;
}

/** The value at a path with dots; undefined where there is none. */
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

/** A value as one line of text, whole. */
export function textOf(value: unknown): string {
  if (value === undefined || value === null || value === '') {
    return NOTHING;
  }
  if (Array.isArray(value)) {
    return value.length === 0 ? NOTHING : value.map(textOf).join(', ');
  }
  return printable(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

/** A header and one line for each item, in columns that are as wide as they must be. */
export function renderTable(items: readonly unknown[], columns: readonly string[]): string {
  const header = columns.map((column) => column.replaceAll('.', ' ').replaceAll('_', ' ').toUpperCase());
  return align([header, ...items.map((item) => columns.map((column) => cellOf(item, column)))]);
}

/** One line for each field that the answer has. */
export function renderRecord(answer: unknown): string {
  if (typeof answer !== 'object' || answer === null) {
    return `${textOf(answer)}\n`;
  }
  const fields = Object.entries(answer).filter(([, value]) => value !== undefined && value !== null);
  return align(fields.map(([name, value]) => [printable(name), textOf(value)]));
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
