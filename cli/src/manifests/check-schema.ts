import { closestName, isObject } from '@palisade/domain';

/** The part of JSON Schema that the API documents use for the bodies of requests. Objects have no other than their properties. */
export interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

export type Path = readonly (string | number)[];

export interface SchemaProblem {
  /** Where in the value. */
  readonly path: Path;
  readonly text: string;
}

/** Everything that is wrong with a value. */
export function* checkSchema(value: unknown, schema: Schema, path: Path = []): Generator<SchemaProblem> {
  const expected = expectation(value, schema);
  if (expected !== undefined) {
    yield { path, text: `expected ${expected}` };
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      yield* checkSchema(item, schema.items ?? {}, [...path, index]);
    }
  } else if (isObject(value) && schema.properties !== undefined) {
    yield* checkFields(value, schema, path);
  }
}

function* checkFields(
  value: Readonly<Record<string, unknown>>,
  { properties = {}, required = [] }: Schema,
  path: Path,
): Generator<SchemaProblem> {
  for (const name of required.filter((each) => !Object.hasOwn(value, each))) {
    yield { path, text: `"${name}" is missing` };
  }
  for (const [name, field] of Object.entries(value)) {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (schema === undefined) {
      const meant = closestName(name, Object.keys(properties));
      yield { path: [...path, name], text: `unknown field${meant === undefined ? '' : `; did you mean "${meant}"?`}` };
    } else {
      yield* checkSchema(field, schema, [...path, name]);
    }
  }
}

/** What the schema wants instead of the value; undefined when the value will do. Fields and items are not looked at. */
function expectation(value: unknown, schema: Schema): string | undefined {
  if (schema.enum !== undefined) {
    return schema.enum.includes(value) ? undefined : `one of ${schema.enum.join(', ')}`;
  }
  switch (schema.type) {
    case 'string':
      return isFittingText(value, schema) ? undefined : describeText(schema);
    case 'integer':
    case 'number':
      return isFittingNumber(value, schema)
        ? undefined
        : `${schema.type === 'integer' ? 'a whole number' : 'a number'}${range(schema)}`;
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'true or false';
    case 'array':
      return Array.isArray(value) && isWithin(value.length, schema.minItems, schema.maxItems)
        ? undefined
        : `a list of ${schema.minItems ?? 0} to ${schema.maxItems ?? 'any number of'} items`;
    case 'object':
      return isObject(value) ? undefined : 'an object';
    default:
      return undefined;
  }
}

function isFittingText(value: unknown, { pattern, minLength, maxLength }: Schema): boolean {
  return (
    typeof value === 'string' &&
    isWithin(value.length, minLength, maxLength) &&
    (pattern === undefined || new RegExp(pattern, 'u').test(value))
  );
}

function describeText({ pattern, minLength = 0, maxLength }: Schema): string {
  const length = maxLength === undefined ? 'text' : `text of ${minLength} to ${maxLength} characters`;
  return pattern === undefined ? length : `${length} that matches ${pattern}`;
}

function isFittingNumber(value: unknown, { type, minimum, maximum }: Schema): boolean {
  return (
    Number.isFinite(value) &&
    (type === 'number' || Number.isSafeInteger(value)) &&
    isWithin(value as number, minimum, maximum)
  );
}

function range({ minimum, maximum }: Schema): string {
  return minimum === undefined && maximum === undefined ? '' : ` from ${minimum ?? 'any'} to ${maximum ?? 'any'}`;
}

function isWithin(value: number, min = -Infinity, max = Infinity): boolean {
  return value >= min && value <= max;
}
