import { isList, isNamed } from './has-form.js';
import { isObject } from '@palisade/domain';
import type { Key } from './key-registry.js';

/**
 * What stands in for the value of a key that does not have the key's form, so that further checks find what the types
 * promise: the parts that do have their form, empty sections for those that do not, or else the default.
 */
export function repairValue(key: Key, value: unknown, defaultValue: unknown): unknown {
  switch (key.form) {
    case 'list of values':
      return isList(value, key.maxItems) ? value.filter((each) => key.kind.parse(each) !== undefined) : defaultValue;
    case 'list of sections':
      return isList(value, key.maxItems) ? Array.from(value, (each) => repairSection(key, each)) : defaultValue;
    case 'named values':
      return isNamed(value, key.maxItems)
        ? new Map([...value].filter(([name, each]) => hasName(key, name) && key.kind.parse(each) !== undefined))
        : defaultValue;
    case 'named sections':
      return isNamed(value, key.maxItems)
        ? new Map(
            [...value].filter(([name]) => hasName(key, name)).map(([name, each]) => [name, repairSection(key, each)]),
          )
        : defaultValue;
    case 'value':
    case 'section':
      return defaultValue;
    default:
      return key satisfies never;
  }
}

function hasName({ names }: Extract<Key, { form: 'named values' | 'named sections' }>, name: string): boolean {
  return names.parse(name) !== undefined;
}

function repairSection(key: Extract<Key, { form: 'list of sections' | 'named sections' }>, value: unknown): unknown {
  if (key.form === 'list of sections' && key.isLong) {
    return isObject(value) ? value : {};
  }
  const section = key.section();
  return value instanceof section ? value : new section();
}
