import type { Key } from './key-registry.js';

/** Whether a value, made an instance by class-transformer, is what the key may have; sections are checked by themselves. */
export function hasForm(key: Key, value: unknown): boolean {
  switch (key.form) {
    case 'value':
      return key.kind.parse(value) !== undefined;
    case 'list of values':
      return isList(value, key.maxItems) && value.every((each) => key.kind.parse(each) !== undefined);
    case 'named values':
      return (
        isNamed(value, key.maxItems) &&
        [...value].every(([name, each]) => key.names.parse(name) !== undefined && key.kind.parse(each) !== undefined)
      );
    case 'section':
      return value instanceof key.section();
    case 'list of sections':
      return isList(value, key.maxItems) && (key.isLong || value.every((each) => each instanceof key.section()));
    case 'named sections':
      return (
        isNamed(value, key.maxItems) &&
        [...value].every(([name, each]) => key.names.parse(name) !== undefined && each instanceof key.section())
      );
    default:
      return key satisfies never;
  }
}

export function isList(value: unknown, maxItems: number): value is readonly unknown[] {
  return Array.isArray(value) && value.length <= maxItems;
}

export function isNamed(value: unknown, maxItems: number): value is ReadonlyMap<string, unknown> {
  return value instanceof Map && value.size <= maxItems;
}
