import { closestName } from '@palisade/domain';
import type { Findings } from '../findings/findings.js';
import type { Path } from '../findings/path.js';
import type { Kind } from '../kinds/kind.js';
import { isList, isNamed } from './has-form.js';
import { keysOf, type Key, type SectionClass } from './key-registry.js';

const SECTION = 'an object';

/** Says what is wrong with the value of a key that does not have the key's form; what is wrong inside of sections is said elsewhere. */
export function reportForm(key: Key, value: unknown, path: Path, findings: Findings): void {
  switch (key.form) {
    case 'value':
      return reportValue(key.kind, value, path, findings);
    case 'section':
      return findings.expected(path, SECTION, value);
    case 'list of values':
    case 'list of sections':
      return reportList(key, value, path, findings);
    case 'named values':
    case 'named sections':
      return reportNamed(key, value, path, findings);
    default:
      return key satisfies never;
  }
}

export function reportValue(kind: Kind<unknown>, value: unknown, path: Path, findings: Findings): void {
  if (kind.parse(value) !== undefined) {
    return;
  }
  if (kind.isSecret && value !== undefined && value !== null) {
    findings.problem(path, `expected ${kind.expected}; what was found is not shown, as it may be a secret`);
  } else {
    findings.expected(path, kind.expected, value, kind.explain?.(value));
  }
}

/** A key that the section does not have. */
export function reportUnknownKey(
  section: SectionClass,
  path: Path,
  findings: Findings,
  sectionsElsewhere: Iterable<string>,
): void {
  findings.problem(
    path,
    `unknown key${findings.isFull ? '' : advise(String(path.at(-1)), section, sectionsElsewhere)}`,
  );
}

function advise(name: string, section: SectionClass, sectionsElsewhere: Iterable<string>): string {
  const meant = closestName(name, keysOf(section).keys());
  if (meant !== undefined) {
    return `, did you mean ${meant}?`;
  }
  const elsewhere = closestName(name, sectionsElsewhere);
  return elsewhere === undefined ? '' : `; ${elsewhere} stands at the top level of the file`;
}

function reportList(
  key: Extract<Key, { form: 'list of values' | 'list of sections' }>,
  value: unknown,
  path: Path,
  findings: Findings,
): void {
  if (!isList(value, key.maxItems)) {
    const found = Array.isArray(value) ? value.length : value;
    return findings.expected(path, `a list of up to ${key.maxItems}`, found);
  }
  for (const [index, each] of value.entries()) {
    const at = [...path, index];
    if (key.form === 'list of values') {
      reportValue(key.kind, each, at, findings);
    } else if (!(each instanceof key.section())) {
      findings.expected(at, SECTION, each);
    }
  }
}

function reportNamed(
  key: Extract<Key, { form: 'named values' | 'named sections' }>,
  value: unknown,
  path: Path,
  findings: Findings,
): void {
  if (!isNamed(value, key.maxItems)) {
    return value instanceof Map
      ? findings.expected(path, `up to ${key.maxItems} names`, value.size)
      : findings.expected(path, SECTION, value);
  }
  for (const [name, each] of value) {
    const at = [...path, name];
    if (key.names.parse(name) === undefined) {
      findings.problem(at, `expected ${key.names.expected} as the key`);
    } else if (key.form === 'named values') {
      reportValue(key.kind, each, at, findings);
    } else if (!(each instanceof key.section())) {
      findings.expected(at, SECTION, each);
    }
  }
}
