/** Of draft 7, as far as the kinds need it. */
export interface ValueSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: ValueSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly anyOf?: readonly ValueSchema[];
}

/** What the value of a key may be: one description for the check, the problem, the schema for editors and the reference. */
export interface Kind<T> {
  /** A noun phrase with unit and range: it follows "expected" in problems and stands in the reference. */
  readonly expected: string;
  /** Accepts at least what `parse` accepts. */
  readonly schema: ValueSchema;
  /** Undefined for a value that is not of this kind. */
  readonly parse: (value: unknown) => T | undefined;
  /** An accepted value in the form that programs understand which know fewer forms; absent: as it is written. */
  readonly canonical?: (value: unknown) => string;
  /** What more could be said of a value that is not of this kind. */
  readonly explain?: (value: unknown) => string | undefined;
  /** A wrong value may be a secret put in the wrong place, so it is not shown. */
  readonly isSecret?: boolean;
}

/** A kind of texts. `pattern` is for the schema. */
export function textKind<T>(
  expected: string,
  pattern: string | undefined,
  parse: (text: string) => T | undefined,
): Kind<T> {
  return {
    expected,
    schema: { type: 'string', ...(pattern !== undefined && { pattern }) },
    parse: (value) => (typeof value === 'string' ? parse(value) : undefined),
    explain: (value) => (typeof value === 'string' ? explainText(value) : explainScalar(value, parse)),
  };
}

/** A letter that only looks like one that may be there. */
function explainText(text: string): string | undefined {
  const [letter] = /[^\p{ASCII}\p{C}]/u.exec(text) ?? [];
  return letter === undefined ? undefined : `"${letter}" is U+${letter.codePointAt(0)?.toString(16).padStart(4, '0')}`;
}

/** A text that YAML reads as something else. */
function explainScalar(value: unknown, parse: (text: string) => unknown): string | undefined {
  const isScalar = typeof value === 'number' || typeof value === 'boolean';
  return isScalar && parse(String(value)) !== undefined ? `that is a ${typeof value}, put it in quotes` : undefined;
}

/**
 * The value of a checked file.
 *
 * @throws {TypeError} when it is not of the kind: the file was not checked
 */
export function read<T>(kind: Kind<T>, value: unknown): T {
  const parsed = kind.parse(value);
  if (parsed === undefined) {
    throw new TypeError(`expected ${kind.expected}`);
  }
  return parsed;
}

/** Like `read`; undefined for undefined. */
export function readOptional<T>(kind: Kind<T>, value: unknown): T | undefined {
  return value === undefined ? undefined : read(kind, value);
}
