import { validateSync, type ValidationError } from 'class-validator';
import type { Findings } from '../findings/findings.js';
import type { Path } from '../findings/path.js';
import { isObject } from '@palisade/domain';
import { keysOf, type Key, type SectionClass } from './key-registry.js';
import { repairValue } from './repair-key.js';
import { reportForm, reportUnknownKey, reportValue } from './report-key.js';
import { toInstance } from './to-instance.js';

/**
 * Makes plain data an instance of the root section and checks it: every key is known and has its form. Keys that are
 * absent have the defaults of their class, and so have those with problems, so that the result can be checked further;
 * what is required is undefined then. `data` has no key that every object has (`constructor`, `__proto__`, …).
 */
export function readSections<T extends object>(root: new () => T, data: unknown, findings: Findings): T {
  if (!isObject(data)) {
    findings.expected([], 'an object with sections such as proxy_pools', data);
    return new root();
  }
  const longLists = [...keysOf(root).values()].filter(isLongList);
  const detached = new Set(longLists.map(({ name }) => name));
  const [lists, rest] = partition(data, detached);
  const file = Object.assign(new root(), toInstance(root, rest), lists);
  const errors = validateSync(file, { whitelist: true, forbidNonWhitelisted: true });
  new ErrorReporter(root, findings).report(errors, root, []);
  for (const key of longLists) {
    checkLongList(key, lists[key.name], findings);
    if (!findings.isSound([key.name])) {
      repair(file, key, lists[key.name], root);
    }
  }
  return file;
}

type ListKey = Extract<Key, { form: 'list of sections' }>;

function isLongList(key: Key): key is ListKey {
  return key.form === 'list of sections' && key.isLong;
}

function partition(
  data: Readonly<Record<string, unknown>>,
  names: ReadonlySet<string>,
): [Readonly<Record<string, unknown>>, Readonly<Record<string, unknown>>] {
  const entries = Object.entries(data).filter(([, value]) => value !== undefined);
  return [
    Object.fromEntries(entries.filter(([name]) => names.has(name))),
    Object.fromEntries(entries.filter(([name]) => !names.has(name))),
  ];
}

function repair(target: object, key: Key, value: unknown, section: SectionClass): void {
  const defaults = new Map(Object.entries(new section()));
  Object.assign(target, { [key.name]: repairValue(key, value, defaults.get(key.name)) });
}

/** Turns what class-validator found into problems with paths. */
class ErrorReporter {
  readonly #topLevel: readonly string[];

  constructor(
    root: SectionClass,
    private readonly findings: Findings,
  ) {
    this.#topLevel = [...keysOf(root).keys()];
  }

  report(errors: readonly ValidationError[], section: SectionClass, path: Path): void {
    const keys = keysOf(section);
    for (const { target, property, value, constraints, children = [] } of errors) {
      const at = [...path, property];
      const key = keys.get(property);
      if (key === undefined) {
        reportUnknownKey(section, at, this.findings, path.length === 0 ? [] : this.#topLevel);
        continue;
      }
      if (constraints !== undefined) {
        reportForm(key, value, at, this.findings);
      }
      this.#reportChildren(key, value, children, at);
      if (constraints !== undefined && target !== undefined) {
        repair(target, key, value, section);
      }
    }
  }

  #reportChildren(key: Key, value: unknown, children: readonly ValidationError[], path: Path): void {
    switch (key.form) {
      case 'section':
        return value instanceof key.section() ? this.report(children, key.section(), path) : undefined;
      case 'list of sections':
      case 'named sections':
        for (const { property, value, children: errors = [] } of children) {
          if (value instanceof key.section()) {
            const part = key.form === 'list of sections' ? Number(property) : property;
            this.report(errors, key.section(), [...path, part]);
          }
        }
        return;
      default:
    }
  }
}

/** What class-validator would find, in a tenth of its time. */
function checkLongList(list: ListKey, values: unknown, findings: Findings): void {
  if (!Array.isArray(values) || !findings.hasForm([list.name])) {
    return;
  }
  const section = list.section();
  const keys = keysOf(section);
  for (const [index, item] of values.entries()) {
    const path = [list.name, index];
    if (!isObject(item)) {
      findings.expected(path, 'an object', item);
      continue;
    }
    for (const [name, key] of keys) {
      if (key.form === 'value' && (key.isRequired || item[name] !== undefined)) {
        reportValue(key.kind, item[name], [...path, name], findings);
      }
    }
    for (const name of Object.keys(item)) {
      if (!keys.has(name)) {
        reportUnknownKey(section, [...path, name], findings, []);
      }
    }
  }
}
