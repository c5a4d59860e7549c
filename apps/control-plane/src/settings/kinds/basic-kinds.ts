import { durationMs } from '@palisade/platform';
import { read, textKind, type Kind } from './kind.js';

export const FLAG: Kind<boolean> = {
  expected: 'true or false',
  schema: { type: 'boolean' },
  parse: (value) => (typeof value === 'boolean' ? value : undefined),
};

/** A whole number within [min, max], counted in `unit`. */
export function integer(min: number, max: number, unit?: string): Kind<number> {
  return {
    expected: `an integer from ${min} to ${max}${unit === undefined ? '' : ` (${unit})`}`,
    schema: { type: 'integer', minimum: min, maximum: max },
    parse: (value) =>
      typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= max ? value : undefined,
  };
}

/** One of some texts; `aliases` are other ways to write one, mapped to it. */
export function choice<const C extends string>(
  choices: readonly C[],
  aliases: Readonly<Record<string, C>> = {},
): Kind<C> {
  const written = [...choices, ...Object.keys(aliases)];
  return {
    expected: enumerate(choices),
    schema: { type: 'string', enum: written },
    parse: (value) =>
      choices.find((each) => each === value) ??
      (typeof value === 'string' && Object.hasOwn(aliases, value) ? aliases[value] : undefined),
  };
}

function enumerate(choices: readonly string[]): string {
  return choices.length < 2 ? choices.join('') : `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`;
}

/** A text without control characters. */
export function text(maxLength: number): Kind<string> {
  const kind = textKind(`a text of 1 to ${maxLength} characters`, undefined, (value) =>
    value.length >= 1 && value.length <= maxLength && !/\p{Cc}/u.test(value) && value.isWellFormed()
      ? value
      : undefined,
  );
  return { ...kind, schema: { ...kind.schema, minLength: 1, maxLength } };
}

/** A duration such as `30s`, within [min, max], given in the same form, as in environment variables; in milliseconds. */
export function duration(min: string, max: string): Kind<number> {
  const { parse } = durationMs('', { description: '', min, max });
  const kind = textKind(`a duration such as 500ms, 30s or 5m, from ${min} to ${max}`, '^\\d{1,9}(ms|s|m|h|d)$', parse);
  return {
    ...kind,
    canonical: (value) => `${read(kind, value)}ms`,
    explain: (value) => (typeof value === 'number' ? 'its unit is missing' : undefined),
  };
}

/** Any duration, where its range has been checked already. */
export const ANY_DURATION: Kind<number> = duration('0ms', '1000d');
