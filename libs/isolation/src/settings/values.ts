import {
  formatBytes,
  InvalidIdentifierError,
  parseBytes,
  parseCores,
  parseDurationMs,
  parseNamespaceId,
  parseNamespacePattern,
  parsePoolName,
  parseTenantId,
  unlessThrown,
  type NamespaceId,
  type NamespacePattern,
  type PoolName,
  type TenantId,
} from '@palisade/domain';
import { z } from 'zod';
import { parsed, value, type Quantity, type ValueNotes } from './schema.js';

export const FLAG: z.ZodType<boolean, boolean> = value(z.boolean(), { expected: 'true or false' });

/** A whole number within [min, max], counted in `unit`. */
export function integer(min: number, max: number, unit?: string): z.ZodType<number, number> {
  const expected = `an integer from ${min} to ${max}${unit === undefined ? '' : ` (${unit})`}`;
  return value(z.int().min(min).max(max), { expected });
}

export const PERCENT: z.ZodType<Quantity<'Percent'>, number> = value(
  z.int().min(0).max(100) as unknown as z.ZodType<Quantity<'Percent'>, number>,
  { expected: 'an integer from 0 to 100 (percent)', unit: 'Percent' },
);

/** One of some texts. */
export function choice<const C extends string>(choices: readonly C[]): z.ZodType<C, C> {
  return value(z.enum(choices) as unknown as z.ZodType<C, C>, { expected: enumerate(choices) });
}

export function enumerate(choices: readonly string[]): string {
  return choices.length < 2 ? choices.join('') : `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`;
}

/** A text without control characters. */
export function text(maxLength: number): z.ZodType<string, string> {
  const schema = z
    .string()
    .min(1)
    .max(maxLength)
    .refine((each) => !/\p{Cc}/u.test(each) && each.isWellFormed());
  return value(schema, { expected: `a text of 1 to ${maxLength} characters`, explain: explainText });
}

type TextNotes<T> = Omit<ValueNotes, 'explain'> & {
  readonly explain?: (text: string) => string | undefined;
  /** Accepts at least what `read` accepts; the JSON Schema has it. */
  readonly pattern?: RegExp;
  readonly read: (text: string) => T | undefined;
  readonly write?: (value: T) => string;
};

/** A text with a grammar, read into what it means; a text is read into itself or its canonical form. */
export function textOf<T>({ pattern, explain, read, write = String, ...notes }: TextNotes<T>): z.ZodType<T, string> {
  const schema = pattern === undefined ? z.string() : z.string().regex(pattern);
  const accepts = (given: string): boolean => pattern?.test(given) !== false && read(given) !== undefined;
  return parsed(schema, {
    ...notes,
    read,
    write,
    explain: (given) =>
      (typeof given === 'string' ? explain?.(given) : undefined) ?? explainText(given) ?? explainScalar(given, accepts),
  });
}

/** A text of a pattern. */
export function matching(
  expected: string,
  pattern: RegExp,
  isValid: (text: string) => boolean = () => true,
): z.ZodType<string, string> {
  return textOf({ expected, pattern, read: (each) => (isValid(each) ? each : undefined) });
}

/** Points at a letter that only looks like one of the letters that may be there. */
function explainText(given: unknown): string | undefined {
  const [letter] = typeof given === 'string' ? (/[^\p{ASCII}\p{C}]/u.exec(given) ?? []) : [];
  return letter === undefined ? undefined : `"${letter}" is U+${letter.codePointAt(0)?.toString(16).padStart(4, '0')}`;
}

/** Points at a text that YAML reads as something else. */
function explainScalar(given: unknown, accepts: (text: string) => boolean): string | undefined {
  const isScalar = typeof given === 'number' || typeof given === 'boolean';
  return isScalar && accepts(String(given)) ? `that is a ${typeof given}, put it in quotes` : undefined;
}

const DURATION = /^\d{1,9}(ms|s|m|h|d)$/;

/** A duration such as `30s`, within [min, max], which are given in the same form; in milliseconds. */
export function duration(min: string, max: string): z.ZodType<Quantity<'Ms'>, string> {
  return durationIn('Ms', 1, 'a duration such as 500ms, 30s or 5m', min, max);
}

/** A duration of whole seconds. */
export function wholeSeconds(min: string, max: string): z.ZodType<Quantity<'Seconds'>, string> {
  return durationIn('Seconds', 1000, 'a duration of whole seconds such as 30s or 5m', min, max);
}

function durationIn<U extends string>(
  unit: U,
  unitMs: number,
  expected: string,
  min: string,
  max: string,
): z.ZodType<Quantity<U>, string> {
  const [minMs, maxMs] = [parseDurationMs(min) ?? 0, parseDurationMs(max) ?? Infinity];
  return parsed(z.string().regex(DURATION), {
    expected: `${expected}, from ${min} to ${max}`,
    unit,
    read: (given) => {
      const ms = parseDurationMs(given);
      const isAccepted = ms !== undefined && ms >= minMs && ms <= maxMs && ms % unitMs === 0;
      return isAccepted ? ((ms / unitMs) as Quantity<U>) : undefined;
    },
    write: (amount) => formatDurationMs(amount * unitMs),
    explain: (given) => (typeof given === 'number' ? 'its unit is missing' : undefined),
  });
}

/** A duration as it would be written: `30s`, `1500ms`, `5m`. */
export function formatDurationMs(ms: number): string {
  const units = [
    ['d', 86_400_000],
    ['h', 3_600_000],
    ['m', 60_000],
    ['s', 1000],
  ] as const;
  const [unit, unitMs] = units.find(([, size]) => ms >= size && ms % size === 0) ?? ['ms', 1];
  return ms === 0 ? '0s' : `${ms / unitMs}${unit}`;
}

/** Timers cannot wait longer. */
export const TIMEOUT: z.ZodType<Quantity<'Ms'>, string> = duration('0ms', '24d');

/** Cores: a number, a text with a number, or thousandths such as `500m`. */
export const CORES: z.ZodType<number, string | number> = parsed(
  z.union([z.string().regex(/^\d{1,7}(\.\d{1,3}|m)?$/), z.number()]),
  { expected: 'cores, such as "2", "0.5" or "500m", up to 1024', read: parseCores, write: String },
);

const MAX_BYTES = 2 ** 46;

/** An amount of memory in bytes, of at least `min`: `512Mi` and `4Gi` are binary, `512M` and `4G` decimal; a B may follow. */
export function memory(min: string): z.ZodType<Quantity<'Bytes'>, string | number> {
  const minBytes = parseBytes(min) ?? 0;
  return parsed(z.union([z.string().regex(/^\d{1,15}(\.\d{1,3})? ?([KkMGT]i?)?B?$/), z.int()]), {
    expected: `an amount of memory such as "512Mi", "4Gi" or "4G", from ${min} to 64Ti`,
    unit: 'Bytes',
    read: (given) => {
      const bytes = parseBytes(given);
      return bytes !== undefined && bytes >= minBytes && bytes <= MAX_BYTES ? (bytes as Quantity<'Bytes'>) : undefined;
    },
    write: formatBytes,
    explain: (given) =>
      typeof given === 'number' || (typeof given === 'string' && /^\d+$/.test(given))
        ? 'a number alone counts bytes'
        : undefined,
  });
}

export const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
export const LABEL_TEXT = '1 to 63 of a-z, 0-9 and inner "-"';

export const NAMESPACE: z.ZodType<NamespaceId, string> = identifier(
  `a namespace: ${LABEL_TEXT}`,
  LABEL,
  parseNamespaceId,
);

/** A name that domain has a parser for. */
export function identifier<T extends string>(
  expected: string,
  pattern: RegExp,
  parse: (text: string) => T,
): z.ZodType<T, string> {
  return textOf({
    expected,
    pattern,
    read: (given) => unlessThrown(InvalidIdentifierError, () => parse(given)),
  });
}

export const TENANT_ID: z.ZodType<TenantId, string> = identifier(`a tenant id: ${LABEL_TEXT}`, LABEL, parseTenantId);
export const POOL_NAME: z.ZodType<PoolName, string> = identifier(
  `the name of a pool: ${LABEL_TEXT}`,
  LABEL,
  parsePoolName,
);
export const NAMESPACE_PATTERN: z.ZodType<NamespacePattern, string> = identifier(
  'a namespace or pattern: 1 to 63 of a-z, 0-9, inner "-", "*" for any characters and "?" for one',
  /^[a-z0-9*?]([-a-z0-9*?]{0,61}[a-z0-9*?])?$/,
  parseNamespacePattern,
);
