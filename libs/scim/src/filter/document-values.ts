import type { JsonValue } from '@palisade/domain';
import { isObject } from '../resource/json-kind.js';

export type Scalar = string | number | boolean;

export function isScalar(value: JsonValue): value is Scalar {
  return value !== null && typeof value !== 'object';
}

/** An object's own property; null, which counts as no value (RFC 7643 §2.5), for anything else. Prototypes are not followed. */
export function ownValue(value: JsonValue, name: string): JsonValue {
  return isObject(value) && Object.hasOwn(value, name) ? (value[name] ?? null) : null;
}
