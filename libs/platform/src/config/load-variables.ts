import { readFileSync, statSync } from 'node:fs';
import { closestName, codeOf, redactText } from '@palisade/domain';
import { fileVariableName, type Values, type Variable, type Variables } from './variable.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** A condition on several variables; it is asked only when each of those it `needs` has an acceptable value. */
export interface Rule<D extends Variables> {
  readonly needs: readonly (keyof D)[];
  /** The problem, beginning with a variable's name; undefined when there is none. */
  readonly check: (values: Values<D>) => string | undefined;
}

export interface LoadOptions<D extends Variables> {
  readonly rules?: readonly Rule<D>[];
  /** Names with these beginnings belong to a service that shares the environment; they are not questioned. */
  readonly foreignPrefixes?: readonly string[];
}

/** The values, frozen, and what an operator should be told about the environment. */
export type Loaded<D extends Variables> = Values<D> & { readonly warnings: readonly string[] };

/** The environment does not make a configuration. Holds every problem, each beginning with the variable's name; no secret values. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';

  constructor(readonly problems: readonly string[]) {
    super(['the configuration is not valid:', ...problems.map((problem) => `  ${problem}`)].join('\n'));
  }
}

const OWN_PREFIX = 'SVC_';
const MAX_SECRET_FILE_BYTES = 65_536;

/**
 * Reads a table of variables from the environment. An empty value counts as not set. A name that begins with `SVC_`
 * and is in no table is a problem when it looks like a misspelt one, else a warning.
 *
 * @throws {ConfigurationError} with all problems at once
 */
export function loadVariables<D extends Variables>(
  definitions: D,
  environment: Environment,
  { rules = [], foreignPrefixes = [] }: LoadOptions<D> = {},
): Loaded<D> {
  const outcomes = Object.entries(definitions).map(([key, definition]) => ({
    key,
    ...readVariable(definition, environment),
  }));
  const values = Object.fromEntries(outcomes.map(({ key, value }) => [key, value])) as Values<D>;
  const unacceptable = new Set<keyof D>(outcomes.filter(({ problem }) => problem !== undefined).map(({ key }) => key));
  const askable = rules.filter(({ needs }) => !needs.some((key) => unacceptable.has(key)));
  const unknownNames = findUnknownNames(Object.values(definitions), environment, foreignPrefixes);

  const problems = [...outcomes, ...unknownNames, ...askable.map(({ check }) => ({ problem: check(values) }))]
    .map(({ problem }) => problem)
    .filter((problem) => problem !== undefined);
  if (problems.length > 0) {
    throw new ConfigurationError(problems);
  }
  const warnings = unknownNames.map(({ warning }) => warning).filter((warning) => warning !== undefined);
  const loaded: Loaded<D> = { ...values, warnings: Object.freeze(warnings) };
  Object.freeze(loaded);
  return loaded;
}

interface Outcome {
  readonly value?: unknown;
  readonly problem?: string;
}

function readVariable(definition: Variable<unknown>, environment: Environment): Outcome {
  const { name, expected, defaultText, isSecret, isQuotable } = definition;
  const source = isSecret ? readSecret(definition, environment) : { text: environment[name]?.trim() };
  if (source.problem !== undefined) {
    return { problem: source.problem };
  }
  const written = source.text === '' ? undefined : source.text;
  const effective = written ?? defaultText;
  if (effective === undefined) {
    return {};
  }
  const value = tryParse(definition, effective);
  if (value === undefined) {
    const found = isQuotable ? `, found ${JSON.stringify(redactText(effective).slice(0, 80))}` : '';
    return { problem: `${name}: expected ${expected}${found}` };
  }
  return { value };
}

/** What a parser throws may quote a secret, so it is not looked at. */
function tryParse({ parse }: Variable<unknown>, value: string): unknown {
  try {
    return parse(value);
  } catch {
    return undefined;
  }
}

function readSecret(
  definition: Variable<unknown>,
  environment: Environment,
): { readonly text?: string; readonly problem?: string } {
  const { name } = definition;
  const fileVariable = fileVariableName(definition);
  const path = environment[fileVariable];
  if (!path) {
    return { text: environment[name] };
  }
  if (environment[name]) {
    return { problem: `${name}: set either ${name} or ${fileVariable}, not both` };
  }
  try {
    if (statSync(path).size > MAX_SECRET_FILE_BYTES) {
      return { problem: `${fileVariable}: ${path} is larger than ${MAX_SECRET_FILE_BYTES} bytes` };
    }
    const text = readFileSync(path, 'utf8').trim();
    return text === '' ? { problem: `${fileVariable}: ${path} is empty` } : { text };
  } catch (error) {
    return { problem: `${fileVariable}: ${path} cannot be read (${codeOf(error)})` };
  }
}

interface UnknownName {
  readonly problem?: string;
  readonly warning?: string;
}

function findUnknownNames(
  definitions: readonly Variable<unknown>[],
  environment: Environment,
  foreignPrefixes: readonly string[],
): readonly UnknownName[] {
  const known = definitions.flatMap((each) => (each.isSecret ? [each.name, fileVariableName(each)] : [each.name]));
  return Object.keys(environment)
    .filter((name) => name.startsWith(OWN_PREFIX) && !known.includes(name))
    .filter((name) => !foreignPrefixes.some((prefix) => name.startsWith(prefix)))
    .map((name) => {
      // What all names have in common says nothing about which one was meant.
      const own = known.filter((each) => each.startsWith(OWN_PREFIX)).map(withoutPrefix);
      const meant = closestName(withoutPrefix(name), own);
      return meant === undefined
        ? { warning: `${name}: no such variable, ignored` }
        : { problem: `${name}: no such variable, did you mean ${OWN_PREFIX}${meant}?` };
    });
}

function withoutPrefix(name: string): string {
  return name.slice(OWN_PREFIX.length);
}
