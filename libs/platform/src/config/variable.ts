/** One environment variable: what it is called, what it accepts and what it means. The functions of variable-kinds.ts make them. */
export interface Variable<T> {
  readonly name: string;
  readonly description: string;
  /** A noun phrase with unit and range: it follows "expected" in problems and stands in the documentation. */
  readonly expected: string;
  /** As it would be written in the environment. */
  readonly defaultText?: string;
  /** For the documentation only: how the service decides when the variable is not set. */
  readonly computedDefault?: string;
  /** Never printed; can also come from the file that `<name>_FILE` names. */
  readonly isSecret: boolean;
  /** Whether a problem shows what was found; never that of a secret. */
  readonly isQuotable: boolean;
  /** Returns undefined, or throws, when the text is not what the variable accepts. */
  readonly parse: (text: string) => T | undefined;
}

export type Variables = Readonly<Record<string, Variable<unknown>>>;

/** What loading a table of variables gives. A variable without a default may be undefined. */
export type Values<D extends Variables> = {
  readonly [K in keyof D]: D[K] extends Variable<infer T> ? T : never;
};

export interface VariableOptions {
  readonly description: string;
  readonly default?: string;
  readonly computedDefault?: string;
  readonly secret?: boolean;
  /** Default true; false where a secret is easily put by mistake. */
  readonly quotable?: boolean;
}

/** Without a default, a variable that is not set has no value. */
export type Settled<T, O extends VariableOptions> = O extends { readonly default: string } ? T : T | undefined;

/** A variable of a kind of its own; `parse` returns undefined, or throws, for a text that it does not accept. */
export function variable<T, const O extends VariableOptions>(
  name: string,
  options: O,
  expected: string,
  parse: (text: string) => T | undefined,
): Variable<Settled<T, O>> {
  const { description, default: defaultText, computedDefault, secret: isSecret = false, quotable = true } = options;
  const settled: Variable<T | undefined> = {
    name,
    description,
    expected,
    defaultText,
    computedDefault,
    isSecret,
    isQuotable: quotable && !isSecret,
    parse,
  };
  return settled as Variable<Settled<T, O>>;
}

/** Where the value of a secret may also come from. */
export function fileVariableName({ name }: Pick<Variable<unknown>, 'name'>): string {
  return `${name}_FILE`;
}
