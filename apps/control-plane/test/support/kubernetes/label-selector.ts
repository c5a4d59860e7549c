import type { StoredObject } from './object-store.js';

/** Requirements `key=value`, `key!=value`, `key in (a, b)` and `key`, with commas between. */
export function matchesLabels(object: StoredObject | undefined, selector: string | null): boolean {
  if (object === undefined) {
    return false;
  }
  const labels = (object.metadata['labels'] ?? {}) as Readonly<Record<string, string>>;
  return (selector ?? '')
    .split(/,(?![^(]*\))/)
    .filter((requirement) => requirement !== '')
    .every((requirement) => matches(labels, requirement.trim()));
}

function matches(labels: Readonly<Record<string, string>>, requirement: string): boolean {
  const [, setKey = '', values] = /^(\S+) in \((.*)\)$/.exec(requirement) ?? [];
  if (values !== undefined) {
    return values.split(',').some((value) => value.trim() === labels[setKey]);
  }
  const [, key = '', operator, value] = /^([^=!]+)(!=|==?)(.*)$/.exec(requirement) ?? [];
  if (operator === undefined) {
    return labels[requirement] !== undefined;
  }
  return (labels[key] === value) === (operator !== '!=');
}
