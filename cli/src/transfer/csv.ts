/**
 * The fields of one CSV record (RFC 4180), without the line end after it; undefined when its quotes are not as they must
 * be. Our own, as it is all that we need of CSV: {@link readRecords} finds where records end, and a dialect would only
 * make guesses possible.
 */
export function parseCsvRecord(record: string): string[] | undefined {
  const fields: string[] = [];
  let at = 0;
  for (;;) {
    const field = record[at] === '"' ? quotedField(record, at) : plainField(record, at);
    if (field === undefined) {
      return undefined;
    }
    fields.push(field.value);
    if (field.end === record.length) {
      return fields;
    }
    at = field.end + 1;
  }
}

interface Field {
  readonly value: string;
  /** Index of the comma after it, or the length of the record. */
  readonly end: number;
}

// RFC 4180 §2.7: a double quote inside a quoted field is "escaped by preceding it with another double quote".
function quotedField(record: string, start: number): Field | undefined {
  let value = '';
  let at = start + 1;
  for (;;) {
    const quote = record.indexOf('"', at);
    if (quote === -1) {
      return undefined;
    }
    value += record.slice(at, quote);
    const next = record[quote + 1];
    if (next !== '"') {
      return next === undefined || next === ',' ? { value, end: quote + 1 } : undefined;
    }
    value += '"';
    at = quote + 2;
  }
}

// RFC 4180 §2.5: "If fields are not enclosed with double quotes, then double quotes may not appear inside the fields."
function plainField(record: string, start: number): Field | undefined {
  const comma = record.indexOf(',', start);
  const end = comma === -1 ? record.length : comma;
  const value = record.slice(start, end);
  return value.includes('"') ? undefined : { value, end };
}

/** One record with its line end. Where `;` is the separator of spreadsheets, quotes keep them from seeing one in a field. */
export function printCsvRecord(fields: readonly string[]): string {
  // A record of one empty field would be an empty line, which is no record.
  const printed = fields.map((field) => (/[",;\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field));
  return `${printed.length === 1 && printed[0] === '' ? '""' : printed.join(',')}\r\n`;
}

/** What spreadsheets take for the beginning of a formula, perhaps behind apostrophes of ours. */
const FORMULA = /^'*[=+\-@\t\r\n]/;

/** A text that no spreadsheet takes for a formula: one that could be begins with an apostrophe, or one more. */
export function guardFormula(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** The text that {@link guardFormula} was given. */
export function unguardFormula(text: string): string {
  return text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text;
}
