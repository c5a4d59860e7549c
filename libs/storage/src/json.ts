/**
 * A deep, deeply frozen copy of JSON-like data. Undefined properties are left out, so that two copies of equal data are
 * equal. Dates are not supported. Depth is bounded by the schemas that the data was validated with.
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

/**
 * Whether two values have the same JSON, except for the order of properties. Undefined properties count as absent. Recurses
 * as deep as the values are: both must come from a schema, which bounds them.
 */
export function isSameJson(a: unknown, b: unknown): boolean {
  if (a === b) {
    return true;
  }
  if (Array.isArray(a) || Array.isArray(b)) {
    return (
      Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((item, i) => isSameJson(item, b[i]))
    );
  }
  return isObject(a) && isObject(b) && hasSameProperties(a, b);
}

function hasSameProperties(a: object, b: object): boolean {
  const others = new Map(definedProperties(b));
  const properties = definedProperties(a);
  return (
    properties.length === others.size &&
    properties.every(([name, value]) => others.has(name) && isSameJson(value, others.get(name)))
  );
}

function definedProperties(value: object): [string, unknown][] {
  return Object.entries(value).filter(([, property]) => property !== undefined);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
