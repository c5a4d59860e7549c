import type { JsonObject, JsonValue } from '@palisade/domain';

/** Whether a value is a JSON object, i.e. neither a primitive nor a list. */
export function isObject(value: JsonValue | undefined): value is JsonObject;
export function isObject(value: unknown): value is Readonly<Record<string, unknown>>;
export function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value is a list; unlike `Array.isArray`, of values whose type stays known. */
export function isList(value: JsonValue | undefined): value is readonly JsonValue[];
export function isList(value: unknown): value is readonly unknown[];
export function isList(value: unknown): boolean {
  return Array.isArray(value);
}
