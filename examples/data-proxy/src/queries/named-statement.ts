/** The values that a parameter accepts. */
export type Parameter =
  | { readonly type: 'text'; readonly maxLength: number }
  | { readonly type: 'integer'; readonly min: number; readonly max: number }
  | { readonly type: 'uuid' };

/** A statement of this program. Callers refer to it by name; they never send SQL. */
export interface NamedStatement {
  /** With `$1`, `$2` … for the parameters in order. It names no tenant column: the row policies add it. */
  readonly text: string;
  readonly parameters: Readonly<Record<string, Parameter>>;
  /** What a user needs for it. Default `write`. */
  readonly needs?: 'read';
  /** For the audit trail: whether personal data is accessed. */
  readonly piiAccessed?: boolean;
}

/** By the name that callers use. */
export type StatementsByName = Readonly<Record<string, NamedStatement>>;

export const STATEMENTS = Symbol('STATEMENTS');
