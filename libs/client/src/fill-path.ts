import { PathParameterError } from './client.errors.js';

/**
 * A path with its parameters, `/tenants/{id}`, filled in.
 *
 * @throws {PathParameterError} when a value cannot be one segment of a path: URLs resolve `.` and `..`, even when they are encoded.
 */
export function fillPath(template: string, values: Readonly<Record<string, unknown>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = Object.hasOwn(values, name) ? String(values[name] ?? '') : '';
    if (value === '' || value === '.' || value === '..') {
      throw new PathParameterError(name, `a name, found "${value}"`);
    }
    if (!value.isWellFormed()) {
      throw new PathParameterError(name, 'Unicode text, found half a character');
    }
    return encodeURIComponent(value);
  });
}
