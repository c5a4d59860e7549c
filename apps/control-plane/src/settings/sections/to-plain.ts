/** A section as it could be written in a file: without what is absent. */
export function toPlainData(value: unknown): unknown {
  if (value instanceof Map) {
    return Object.fromEntries([...value].map(([name, each]) => [name, toPlainData(each)]));
  }
  if (Array.isArray(value)) {
    return value.map(toPlainData);
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  return Object.fromEntries(entries.map(([name, each]) => [name, toPlainData(each)]));
}
