import { UsageError } from '../usage.error.js';

/**
 * A path with its parameters, `/tenants/{id}`, filled in.
 *
 * @throws {UsageError} when a value cannot be one segment of a path: URLs resolve `.` and `..`, even when they are encoded.
 */
export function fillPath(template: string, values: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined || value === '' || value === '.' || value === '..') {
      throw new UsageError(`${name}: expected a name, found "${value ?? ''}"`);
    }
    if (!value.isWellFormed()) {
      throw new UsageError(`${name}: expected Unicode text, found half a character`);
    }
    return encodeURIComponent(value);
  });
}
