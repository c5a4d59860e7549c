import { FailureError, UsageError } from '../command/command.errors.js';
import { guardFormula, unguardFormula } from './csv.js';
import type { Resource, ResourceKind } from './resource-kind.js';

const LISTS: ReadonlySet<string> = new Set(['emails', 'members']);
const SEPARATOR = ';';
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

/** The columns in the header of a CSV file. @throws {UsageError} when one is unknown, repeated or missing. */
export function readHeader(kind: ResourceKind, fields: readonly string[] | undefined): readonly string[] {
  const known = Object.keys(kind.columns);
  const header = fields ?? [];
  const unknown = header.filter((name) => !known.includes(name));
  if (unknown.length > 0 || header.length === 0) {
    throw new UsageError(
      `the first line of the file: expected column names out of ${known.join(', ')}; found ${header.join(', ')}`,
    );
  }
  if (new Set(header).size < header.length) {
    throw new UsageError('the file names a column twice');
  }
  const missing = ['externalId', kind.required].filter((name) => !header.includes(name));
  if (missing.length > 0) {
    throw new UsageError(`the file has no column ${missing.join(' and ')}`);
  }
  return header;
}

/** The resource that a record describes, or a string that says what is wrong with it. Empty fields are absent attributes. */
export function fromCsv(kind: ResourceKind, header: readonly string[], fields: readonly string[]): Resource | string {
  if (fields.length !== header.length) {
    return `expected ${header.length} fields, found ${fields.length}`;
  }
  const resource: Record<string, unknown> = {};
  for (const [index, column] of header.entries()) {
    const text = unguardFormula(fields[index] ?? '');
    const [first = '', second] = kind.columns[column] ?? [];
    if (text === '') {
      continue;
    }
    const value = parseField(column, text);
    if (value === undefined) {
      return `${column}: expected true or false, found "${text}"`;
    }
    if (second === undefined) {
      resource[first] = value;
    } else {
      resource[first] = { ...(resource[first] as Resource | undefined), [second]: value };
    }
  }
  return resource;
}

function parseField(column: string, text: string): unknown {
  if (column === 'active') {
    return BOOLEANS.get(text.toLowerCase());
  }
  if (!LISTS.has(column)) {
    return text;
  }
  const values = text.split(SEPARATOR).filter((value) => value !== '');
  return values.map((value, index) => ({ value, ...(column === 'emails' && index === 0 && { primary: true }) }));
}

/** One record with all columns of the kind; attributes that have no column are left out. */
export function toCsv(kind: ResourceKind, resource: Resource): string[] {
  return Object.entries(kind.columns).map(([, [first = '', second]]) => {
    const value = resource[first];
    return guardFormula(printField(second === undefined ? value : (value as Resource | undefined)?.[second]));
  });
}

function printField(value: unknown): string {
  if (Array.isArray(value)) {
    const sorted = value.toSorted((a, b) => Number(b?.primary === true) - Number(a?.primary === true));
    const values = sorted.map((item: { readonly value?: unknown }) => String(item.value ?? ''));
    const divided = values.find((text) => text.includes(SEPARATOR));
    if (divided !== undefined) {
      throw new FailureError(`"${divided}" contains "${SEPARATOR}", which separates values in CSV: use NDJSON`);
    }
    return values.join(SEPARATOR);
  }
  return value === undefined || value === null ? '' : String(value);
}
