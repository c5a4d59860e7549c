/**
 * The fields of one CSV record (RFC 4180), without its line end; undefined when its quotes are malformed. This parser is our
 * own, as we need so little of CSV: {@link readRecords} finds where records end, and dialects would only invite guesses.
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

/** One record with its line end. Fields with `;` are quoted too, as some spreadsheets take it for the separator. */
export function printCsvRecord(fields: readonly string[]): string {
  // A record of one empty field would be an empty line, which readers skip.
  const printed = fields.map((field) => (/[",;\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field));
  return `${printed.length === 1 && printed[0] === '' ? '""' : printed.join(',')}\r\n`;
}

/** What spreadsheets take for the beginning of a formula, also behind apostrophes that we have added. */
const FORMULA = /^'*[=+\-@\t\r\n]/;

/** The text, with an apostrophe (or one more) before it if a spreadsheet could take it for a formula. */
export function guardFormula(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** Undoes {@link guardFormula}. */
export function unguardFormula(text: string): string {
  return text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text;
}
