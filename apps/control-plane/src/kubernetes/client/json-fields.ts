import { isObject } from '@palisade/domain';

export type Fields = Readonly<Record<string, unknown>>;

/** The value when it is a JSON object. */
export function asFields(value: unknown): Fields | undefined {
  return isObject(value) ? value : undefined;
}

/** The value when it is a list, else an empty one. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function asInteger(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined;
}

/** The texts among the values, by name. */
export function asTexts(value: unknown): ReadonlyMap<string, string> {
  const entries = Object.entries(asFields(value) ?? {});
  return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}
