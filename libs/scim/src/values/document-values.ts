import { isObject, type JsonValue } from '@palisade/domain';

export type Scalar = string | number | boolean;

export function isScalar(value: JsonValue): value is Scalar {
  return value !== null && typeof value !== 'object';
}

/** An object's own property; null, which counts as no value (RFC 7643 §2.5), for anything else. Prototypes are not followed. */
export function ownValue(value: JsonValue, name: string): JsonValue {
  return isObject(value) && Object.hasOwn(value, name) ? (value[name] ?? null) : null;
}

/** Whether a value is a list; unlike `Array.isArray`, of values whose type stays known. */
export function isList(value: JsonValue | undefined): value is readonly JsonValue[];
export function isList(value: unknown): value is readonly unknown[];
export function isList(value: unknown): boolean {
  return Array.isArray(value);
}
