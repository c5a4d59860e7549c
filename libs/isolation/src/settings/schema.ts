import { isObject, type IsolationLevel } from '@palisade/domain';
import { z } from 'zod';

/** What a value may be, said once for problems, the JSON Schema and the reference. */
export interface ValueNotes {
  /** A noun phrase with unit and range: it follows "expected" in problems and stands in the reference. */
  readonly expected: string;
  /** Ends the name of each property that holds such a value: `acquire_timeout` is read into `acquireTimeoutMs`. */
  readonly unit?: string;
  /** What more can be said about a value that is not accepted. */
  readonly explain?: (value: unknown) => string | undefined;
  /** A value that is not accepted may be a secret in the wrong place, so problems do not show it. */
  readonly isSecret?: boolean;
}

export interface KeyOptions {
  /** The isolation levels at which the key is of use; absent: at all. */
  readonly levels?: readonly IsolationLevel[];
  /** When the key is of use in some cases only: the case, for people. */
  readonly appliesTo?: string;
  /** How the default is found when the key is absent, for people. */
  readonly computedDefault?: string;
}

export interface KeyNotes extends KeyOptions {
  readonly description: string;
}

/** A section may be written as the value of this one key. */
interface SectionNotes {
  readonly shorthand?: string;
}

const VALUES = z.registry<ValueNotes>();
const KEYS = z.registry<KeyNotes & { readonly property?: string }>();
const SECTIONS = z.registry<SectionNotes>();
const SIZES = z.registry<{ readonly maxItems: number }>();

export const valueNotes = (schema: z.core.$ZodType): ValueNotes | undefined => VALUES.get(schema);
export const keyNotes = (schema: z.core.$ZodType): KeyNotes | undefined => KEYS.get(schema);
/** How many items a list, or names an object, may have. */
export const maxItemsOf = (schema: z.core.$ZodType): number | undefined => SIZES.get(schema)?.maxItems;
export const shorthandOf = (schema: z.core.$ZodType): string | undefined => SECTIONS.get(schema)?.shorthand;

declare const UNIT: unique symbol;
declare const PROPERTY: unique symbol;

/** A number in a unit, which the property that it is read into has in its name. */
export type Quantity<U extends string> = number & { readonly [UNIT]: U };

/** Notes what a schema accepts. */
export function value<S extends z.ZodType>(schema: S, notes: ValueNotes): S {
  VALUES.add(schema, notes);
  return schema;
}

/** A value that is written in one form and used in another. `write` gives a form that `read` accepts. */
export function parsed<W extends z.ZodType, T>(
  written: W,
  {
    read,
    write,
    ...notes
  }: ValueNotes & {
    readonly read: (value: z.output<W>) => T | undefined;
    readonly write: (value: T) => z.output<W>;
  },
): z.ZodType<T, z.input<W>> {
  const schema = z.codec(written, z.custom<T>(), {
    decode: (given, context) => {
      const result = read(given);
      if (result === undefined) {
        context.issues.push({ code: 'custom', input: given, message: notes.expected });
        return z.NEVER;
      }
      return result as z.input<z.ZodCustom<T, T>>;
    },
    encode: (used) => write(used) as never,
  });
  return value(schema as unknown as z.ZodType<T, z.input<W>>, notes);
}

/** A schema whose property has a name of its own. */
export interface Named<N extends string> {
  readonly [PROPERTY]?: N;
}

type WithName<S, N extends string> = [N] extends [never] ? S : S & Named<N>;
type NameOptions<N extends string> = KeyOptions & { readonly property?: N };

/** A key that has to be there. `property`: what it is called in the program, if not by its own name in camelCase. */
export function required<S extends z.ZodType, const N extends string = never>(
  schema: S,
  description: string,
  options: NameOptions<N> = {},
): WithName<S, N> {
  // A copy, as others may use the same schema under another description.
  return key(z.clone(schema, undefined, { parent: true }), description, options) as WithName<S, N>;
}

/** A key that may be absent. */
export function optional<S extends z.ZodType, const N extends string = never>(
  schema: S,
  description: string,
  options: NameOptions<N> = {},
): WithName<z.ZodOptional<S>, N> {
  return key(z.optional(schema), description, options) as WithName<z.ZodOptional<S>, N>;
}

/** A key with a default, given as it would be written. */
export function withDefault<S extends z.ZodType, const N extends string = never>(
  schema: S,
  written: z.input<S>,
  description: string,
  options: NameOptions<N> = {},
): WithName<z.ZodPrefault<S>, N> {
  return key(z.prefault(schema, written as never), description, options) as unknown as WithName<z.ZodPrefault<S>, N>;
}

/** A section whose keys all have defaults, so that it is always there. */
export function present<S extends z.ZodType>(schema: S, description: string, options: KeyOptions = {}) {
  return withDefault(schema, {} as z.input<S>, description, options);
}

function key<S extends z.core.$ZodType, N extends string>(schema: S, description: string, options: NameOptions<N>): S {
  KEYS.add(schema, { ...options, description });
  return schema;
}

export type Shape = Readonly<Record<string, z.ZodType>>;

type Camel<K extends string> = K extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : K;
type PropertyName<K extends string, S> =
  S extends Named<infer N extends string>
    ? N
    : NonNullable<Output<S>> extends Quantity<infer U>
      ? `${Camel<K>}${U}`
      : Camel<K>;
type Plain<V> = V extends Quantity<string> ? number : V;
type Output<S> = S extends z.core.$ZodType ? z.output<S> : never;
type Flat<T> = { readonly [K in keyof T]: T[K] };

/** What a section is read into: properties in camelCase, quantities with their unit. */
export type SectionValue<S extends Shape> = Flat<
  {
    readonly [K in keyof S as undefined extends z.output<S[K]> ? never : PropertyName<K & string, S[K]>]: Plain<
      z.output<S[K]>
    >;
  } & {
    readonly [K in keyof S as undefined extends z.output<S[K]> ? PropertyName<K & string, S[K]> : never]?: Plain<
      z.output<S[K]>
    >;
  }
>;

/** An object with these keys and no others; with a `shorthand`, also a text that stands for the object with that key only. */
export function section<const S extends Shape>(
  shape: S,
  { shorthand }: { readonly shorthand?: keyof S & string } = {},
): z.ZodType<SectionValue<S>, object | string> {
  const properties = new Map(Object.entries(shape).map(([name, schema]) => [name, propertyName(name, schema)]));
  const names = new Map([...properties].map(([name, property]) => [property, name]));
  const schema: z.ZodType = z.codec(z.strictObject(shape), z.custom<object>(), {
    decode: (written) => rename(written, properties),
    encode: (used) => rename(used, names) as never,
  });
  const whole =
    shorthand === undefined
      ? schema
      : z.codec(z.any(), schema, {
          decode: (written: unknown) => (typeof written === 'string' ? { [shorthand]: written } : written),
          encode: (written) => written,
        });
  SECTIONS.add(whole, { shorthand });
  return whole as z.ZodType<SectionValue<S>, object | string>;
}

function rename(from: object, names: ReadonlyMap<string, string>): Record<string, unknown> {
  const to: Record<string, unknown> = {};
  for (const [name, each] of Object.entries(from)) {
    const renamed = names.get(name);
    if (renamed !== undefined && each !== undefined) {
      to[renamed] = each;
    }
  }
  return to;
}

function propertyName(name: string, schema: z.ZodType): string {
  const { unit = '' } = VALUES.get(withoutWrappers(schema)) ?? {};
  return KEYS.get(schema)?.property ?? name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase()) + unit;
}

/** The schema of a key's value when there is one. */
export function withoutWrappers(schema: z.core.$ZodType): z.core.$ZodType {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodPrefault
    ? withoutWrappers(schema.def.innerType)
    : schema;
}

export function list<S extends z.ZodType>(item: S, maxItems: number): z.ZodType<readonly z.output<S>[]> {
  const schema = z.array(item).max(maxItems);
  SIZES.add(schema, { maxItems });
  return schema;
}

/** Values by name, as a Map. */
export function named<N extends string, V extends z.ZodType>(
  names: z.ZodType<N, string>,
  values: V,
  maxItems: number,
): z.ZodType<ReadonlyMap<N, z.output<V>>, object> {
  const record = z
    .record(names as z.ZodType<string, string>, values)
    .refine((entries) => Object.keys(entries).length <= maxItems);
  SIZES.add(record, { maxItems });
  return z.codec(record, z.custom<ReadonlyMap<N, z.output<V>>>(), {
    decode: (entries) => new Map(Object.entries(entries)) as never,
    encode: (map) => Object.fromEntries(map) as never,
  });
}

/** Sections that are told apart by the value of one key. */
export function variants<const S extends readonly [z.ZodType, ...z.ZodType[]]>(
  discriminator: string,
  sections: S,
): z.ZodType<z.output<S[number]>, object> {
  return z.discriminatedUnion(discriminator, sections as never) as z.ZodType<z.output<S[number]>, object>;
}

/** The object, list or union of a schema, below what converts it. */
export function structureOf(schema: z.core.$ZodType): z.core.$ZodType {
  const inner = withoutWrappers(schema);
  if (VALUES.get(inner) !== undefined || !(inner instanceof z.ZodCodec)) {
    return inner;
  }
  return structureOf(inner.def.in instanceof z.ZodAny ? inner.def.out : inner.def.in);
}

/** The keys of a section, with their schemas; of any other schema none. */
export function keysOf(schema: z.core.$ZodType): Readonly<Record<string, z.core.$ZodType>> {
  const structure = structureOf(schema);
  return structure instanceof z.ZodObject ? structure.def.shape : {};
}

/** A section and all that it contains, in the order of their keys, each with its path: `proxy_pools.<name>.resources`. */
export function* sectionsOf(schema: z.core.$ZodType, path = ''): Generator<readonly [z.ZodObject, string]> {
  const structure = structureOf(schema);
  if (structure instanceof z.ZodObject) {
    yield [structure, path];
    for (const [name, key] of Object.entries(keysOf(structure))) {
      yield* sectionsOf(key, path === '' ? name : `${path}.${name}`);
    }
  } else if (structure instanceof z.ZodRecord) {
    yield* sectionsOf(structure.def.valueType, `${path}.<name>`);
  } else if (structure instanceof z.ZodArray) {
    yield* sectionsOf(structure.def.element, `${path}[]`);
  } else if (structure instanceof z.ZodDiscriminatedUnion) {
    for (const option of structure.def.options) {
      yield* sectionsOf(option, path);
    }
  }
}

/**
 * The same schema for data that has problems: what is not accepted is read as its default, or as undefined, so that
 * what the rest says can be checked as well.
 */
export function tolerant(schema: z.core.$ZodType): z.ZodType {
  if (schema instanceof z.ZodPrefault) {
    const inner = withTolerantParts(schema.def.innerType);
    return z.prefault(inner, schema.def.defaultValue as never).catch(() => inner.parse(schema.def.defaultValue));
  }
  const inner = schema instanceof z.ZodOptional ? schema.def.innerType : schema;
  return z.optional(withTolerantParts(inner)).catch(undefined);
}

function withTolerantParts(schema: z.core.$ZodType): z.ZodType {
  if (schema instanceof z.ZodCodec && VALUES.get(schema) === undefined) {
    const { in: written, out, transform: decode, reverseTransform: encode } = schema.def;
    return z.codec(withTolerantParts(written), withTolerantParts(out), { decode, encode } as never);
  }
  if (schema instanceof z.ZodObject) {
    const shape = Object.entries<z.core.$ZodType>(schema.def.shape).map(([name, each]) => [name, tolerant(each)]);
    return z.object(Object.fromEntries(shape) as Shape);
  }
  if (schema instanceof z.ZodArray) {
    return z.array(item(schema.def.element)).transform((items) => items.filter((each) => each !== undefined));
  }
  if (schema instanceof z.ZodRecord) {
    const { keyType, valueType } = schema.def;
    const isNamed = ([name]: [string, unknown]): boolean => z.safeParse(keyType, name).success;
    return z.preprocess(
      (given) => (isObject(given) ? Object.fromEntries(Object.entries(given).filter(isNamed)) : given),
      z.record(keyType as z.ZodType<string, string>, item(valueType)),
    );
  }
  if (schema instanceof z.ZodDiscriminatedUnion) {
    return z.union(schema.def.options.map(withTolerantParts) as never);
  }
  return schema as z.ZodType;
}

/** An item of a list that is no object is read as an empty one, so that the others keep their places. */
function item(schema: z.core.$ZodType): z.ZodType {
  const inner = withTolerantParts(schema);
  return z.optional(inner).catch(() => inner.safeParse({}).data);
}
