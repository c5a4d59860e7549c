import { unlessThrown } from './unless-thrown.js';

export type JsonPrimitive = string | number | boolean | null;
export type JsonValue = JsonPrimitive | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: JsonValue;
}

/** Whether a value of JSON or YAML is an object: neither a list nor null. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value that a text holds; undefined for a text that is not JSON. */
export function parseJson(text: string): unknown {
  return unlessThrown(SyntaxError, () => JSON.parse(text) as unknown);
}

/** The object that a text holds; undefined for any other value, or a text that is not JSON. */
export function parseJsonObject(text: string): Readonly<Record<string, unknown>> | undefined {
  const value = parseJson(text);
  return isObject(value) ? value : undefined;
}
