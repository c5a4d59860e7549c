import { applyDecorators, type Type } from '@nestjs/common';
import { z } from 'zod';
import { ApiProperty, type ApiPropertyOptions, type SchemaObject } from '@nestjs/swagger';
import { Exclude, Transform, Type as TransformTo } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsISO8601,
  IsNumber,
  IsObject,
  Max,
  Min,
  ValidateBy,
  ValidateIf,
  ValidateNested,
  buildMessage,
} from 'class-validator';

/**
 * The fields of request bodies, queries and answers. Each decorator says everything about a field at once: its type,
 * what is accepted, and what the API pages show. In answers only the last counts.
 */
export interface FieldOptions<T> {
  readonly example?: T;
  /** The field may be missing, always or depending on the other fields. Null is not "missing": it is rejected. */
  readonly optional?: boolean | ((body: never) => boolean);
  /** What a missing field means; the property has to be initialized with it as well. */
  readonly default?: T;
}

export interface TextOptions extends FieldOptions<string> {
  readonly maxLength?: number;
  readonly format?: 'uri' | 'uuid';
  /** A regular expression, with anchors. */
  readonly pattern?: string;
  /** Judges what `maxLength` and `pattern` let pass. */
  readonly isValid?: (text: string) => boolean;
  /** What the error message says instead of the length: `a DNS name or an IP address`. */
  readonly expected?: string;
}

export interface NumberOptions extends FieldOptions<number> {
  readonly minimum?: number;
  readonly maximum?: number;
}

export interface IntegerOptions extends NumberOptions {
  /** The field is a parameter of a query, where numbers are text. */
  readonly inQuery?: boolean;
}

export interface ListOptions<T> extends FieldOptions<readonly T[]> {
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** How names of namespaces, tenants, pools and providers look. The parsers in `domain` reject all others. */
export const LABEL = { minLength: 1, maxLength: 63, pattern: '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$' } as const;
/** The time in examples. */
const TIME = '2026-11-20T08:30:00.000Z';

/** A text of 1 to `maxLength` characters that every store can keep: no control characters, no lone surrogates. */
export function Text(description: string, options: TextOptions = {}): PropertyDecorator {
  const { maxLength, format, pattern } = options;
  const length = maxLength === undefined ? {} : { minLength: 1, maxLength };
  return field(description, options, { type: 'string', format, pattern, ...length }, isText(options));
}

/** The name of a namespace, a tenant, a pool or a provider; to be parsed by the function of `domain` for it. */
export function Name(description: string, options: FieldOptions<string> = {}): PropertyDecorator {
  return field(description, options, { type: 'string', ...LABEL }, isText({ maxLength: LABEL.maxLength }));
}

/** One of these texts. */
export function Choice<T extends string>(
  description: string,
  choices: readonly T[],
  options: FieldOptions<NoInfer<T>> = {},
): PropertyDecorator {
  return field(description, options, { enum: [...choices] }, IsIn(choices));
}

export function Flag(description: string, options: FieldOptions<boolean> = {}): PropertyDecorator {
  return field(description, options, { type: 'boolean' }, IsBoolean());
}

export function Integer(description: string, options: IntegerOptions = {}): PropertyDecorator {
  const { minimum, maximum, inQuery = false } = options;
  const converted = inQuery ? [TransformTo(() => Number)] : [];
  const schema = { type: 'integer', minimum, maximum } as const;
  return field(description, options, schema, ...converted, IsInt(), ...bounds(options));
}

export function Decimal(description: string, options: NumberOptions = {}): PropertyDecorator {
  const { minimum, maximum } = options;
  return field(description, options, { type: 'number', minimum, maximum }, IsNumber(), ...bounds(options));
}

/** A moment, as ISO 8601 writes it, with a time zone. */
export function Time(description: string, options: FieldOptions<string> = {}): PropertyDecorator {
  const isTime = IsISO8601({ strict: true, strictSeparator: true });
  return field(description, { example: TIME, ...options }, { type: 'string', format: 'date-time' }, isTime);
}

/** An object with fields of its own. */
export function Nested(description: string, type: Type, options: FieldOptions<object> = {}): PropertyDecorator {
  return field(
    description,
    options,
    { type },
    IsObject(),
    ValidateNested(),
    TransformTo(() => type),
  );
}

/** An object with any fields. */
export function AnyObject(description: string, options: FieldOptions<object> = {}): PropertyDecorator {
  return field(description, options, { type: 'object', additionalProperties: true }, IsObject());
}

/**
 * Whatever the schema accepts: for large parts of a body, which it judges a hundred times faster than decorators do. It
 * has to reject unknown keys, and to change nothing.
 */
export function Shape(description: string, schema: z.ZodType, options: FieldOptions<object> = {}): PropertyDecorator {
  const { $schema: _, ...shown } = z.toJSONSchema(schema, { target: 'openapi-3.0' });
  return field(description, options, shown as ApiPropertyOptions, ...UNTOUCHED, isShape(schema));
}

@Exclude()
class Untouched {}

/** Keeps class-transformer, which takes longer than the schema, from copying the value. */
const UNTOUCHED = [
  TransformTo(() => Untouched),
  Transform(({ obj, key }) => (obj as Readonly<Record<string, unknown>>)[key]),
];

/** A list of objects with fields of their own. */
export function List(description: string, type: Type, options: ListOptions<object> = {}): PropertyDecorator {
  const checks = [IsObject({ each: true }), ValidateNested({ each: true }), TransformTo(() => type)];
  return field(description, options, { type: [type], ...sizeOf(options) }, ...listChecks(options), ...checks);
}

/** A list of texts, each of which is as {@link Text} says. */
export function Texts(
  description: string,
  options: ListOptions<string> & Pick<TextOptions, 'maxLength'> = {},
): PropertyDecorator {
  const { maxLength } = options;
  const items = { type: 'string', ...(maxLength !== undefined && { minLength: 1, maxLength }) };
  const schema = { type: 'array', items, ...sizeOf(options) } as const;
  return field(description, options, schema, ...listChecks(options), isText({ maxLength }, true));
}

/** A list whose items are checked elsewhere; `items` is their schema. */
export function AnyList(
  description: string,
  items: SchemaObject,
  options: ListOptions<unknown> = {},
): PropertyDecorator {
  const schema = { type: 'array', items, ...sizeOf(options) } as ApiPropertyOptions;
  return field(description, options, schema, ...listChecks(options));
}

function field<T>(
  description: string,
  { example, optional, default: preset }: FieldOptions<T>,
  schema: ApiPropertyOptions,
  ...checks: readonly PropertyDecorator[]
): PropertyDecorator {
  const mayBeMissing = optional ?? preset !== undefined;
  const shown = { description, ...schema, default: preset, example };
  if (mayBeMissing === false) {
    return applyDecorators(ApiProperty(shown as ApiPropertyOptions), ...checks);
  }
  // Not IsOptional, which would let null pass.
  const unlessMissing = ValidateIf(
    (body, value) => value !== undefined || (mayBeMissing !== true && !mayBeMissing(body as never)),
  );
  return applyDecorators(ApiProperty({ required: false, ...shown } as ApiPropertyOptions), unlessMissing, ...checks);
}

function bounds({ minimum, maximum }: NumberOptions): PropertyDecorator[] {
  return [...(minimum === undefined ? [] : [Min(minimum)]), ...(maximum === undefined ? [] : [Max(maximum)])];
}

function sizeOf({ minItems, maxItems }: ListOptions<unknown>): Pick<ListOptions<unknown>, 'minItems' | 'maxItems'> {
  return { minItems, maxItems };
}

function listChecks({ minItems, maxItems }: ListOptions<unknown>): PropertyDecorator[] {
  return [
    IsArray(),
    ...(minItems === undefined ? [] : [ArrayMinSize(minItems)]),
    ...(maxItems === undefined ? [] : [ArrayMaxSize(maxItems)]),
  ];
}

function isShape(schema: z.ZodType): PropertyDecorator {
  return ValidateBy({
    name: 'isShape',
    validator: {
      validate: (value) => schema.safeParse(value).success,
      defaultMessage: (argument) => {
        const [issue] = schema.safeParse(argument?.value).error?.issues ?? [];
        return [argument?.property, ...(issue?.path ?? [])].join('.') + `: ${issue?.message}`;
      },
    },
  });
}

function isText(options: TextOptions, each = false): PropertyDecorator {
  const { maxLength = Infinity, pattern, isValid = () => true } = options;
  const expected =
    options.expected ??
    `a text of ${maxLength === Infinity ? 'at least 1 character' : `1 to ${maxLength} characters`} without control characters`;
  const form = pattern === undefined ? undefined : new RegExp(pattern, 'u');
  return ValidateBy(
    {
      name: 'isText',
      validator: {
        validate: (value: unknown) =>
          typeof value === 'string' &&
          value.length >= 1 &&
          value.length <= maxLength &&
          !/\p{Cc}/u.test(value) &&
          value.isWellFormed() &&
          form?.test(value) !== false &&
          isValid(value),
        defaultMessage: buildMessage((prefix) => `${prefix}$property: expected ${expected}`, { each }),
      },
    },
    { each },
  );
}
