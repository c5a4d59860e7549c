import { InvalidValuesError } from './queries.errors.js';
import type { NamedStatement, Parameter } from './named-statement.js';

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/**
 * The values of a statement's parameters, in order.
 *
 * @throws {InvalidValuesError} when one is missing, has the wrong type, or is not a parameter of the statement
 */
export function readValues({ parameters }: NamedStatement, given: Readonly<Record<string, unknown>>): unknown[] {
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(parameters, name));
  if (unknown !== undefined) {
    throw new InvalidValuesError(unknown.slice(0, 80), `only ${Object.keys(parameters).join(', ')}`);
  }
  return Object.entries(parameters).map(([name, parameter]) => {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (!accepts(parameter, value)) {
      throw new InvalidValuesError(name, describe(parameter));
    }
    return value;
  });
}

function accepts(parameter: Parameter, value: unknown): boolean {
  switch (parameter.type) {
    case 'text':
      // PostgreSQL cannot store NUL characters, and UTF-8 cannot encode half a surrogate pair.
      return isText(value) && value.length <= parameter.maxLength && !value.includes('\0') && value.isWellFormed();
    case 'integer':
      return Number.isSafeInteger(value) && Number(value) >= parameter.min && Number(value) <= parameter.max;
    case 'uuid':
      return isText(value) && UUID.test(value);
    default:
      return parameter satisfies never;
  }
}

function describe(parameter: Parameter): string {
  switch (parameter.type) {
    case 'text':
      return `a text of at most ${parameter.maxLength} characters without NUL`;
    case 'integer':
      return `an integer from ${parameter.min} to ${parameter.max}`;
    case 'uuid':
      return 'a UUID in lower case';
    default:
      return parameter satisfies never;
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
