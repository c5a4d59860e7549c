/**
 * A deep copy of JSON-like data that nobody can change. Properties that are undefined are left out, so that two copies
 * of equal data are equal. Dates are not supported. Depth is bounded by the schemas that the data was validated with.
 */
export function frozenCopy<T>(value: T): T {
  if (Array.isArray(value)) {
    return Object.freeze(Array.from(value, (element: unknown) => frozenCopy(element))) as T;
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  const defined = Object.entries(value).filter(([, property]) => property !== undefined);
  // Object.fromEntries defines properties and never calls a setter, so a key such as "__proto__" stays a plain key.
  return Object.freeze(Object.fromEntries(defined.map(([name, property]) => [name, frozenCopy(property)]))) as T;
}
