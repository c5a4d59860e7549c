import { BACKEND_KINDS } from '@palisade/domain';
import { keysOf, type Key, type SectionClass } from '../sections/key-registry.js';

const HEADER = ['| key | value | default | applies to | meaning |', '|---|---|---|---|---|'];
const BACKEND = new RegExp(`\\b(?:${BACKEND_KINDS.join('|')})\\b`);

/** Every key of a section and of all that it contains, as markdown: one table for each section. */
export function renderReference(root: SectionClass): string {
  return [...collectPaths(root)]
    .map(([section, paths]) => {
      const places = new Set(paths.map((path) => path.replace(BACKEND, '<backend>')));
      const heading = [...places].map((path) => (path === '' ? 'Top level' : `\`${path}\``)).join(', ');
      return [`### ${heading}`, '', ...HEADER, ...renderKeys(section)].join('\n');
    })
    .join('\n\n');
}

/** Sections in the order in which they are met, with all places where they stand. */
function collectPaths(
  section: SectionClass,
  path = '',
  found: Map<SectionClass, string[]> = new Map(),
): ReadonlyMap<SectionClass, readonly string[]> {
  found.set(section, [...(found.get(section) ?? []), path]);
  for (const key of keysOf(section).values()) {
    if ('section' in key) {
      collectPaths(key.section(), `${path === '' ? '' : `${path}.`}${key.name}${SUFFIXES[key.form]}`, found);
    }
  }
  return found;
}

const SUFFIXES = { section: '', 'list of sections': '[]', 'named sections': '.<name>' } as const;

function renderKeys(section: SectionClass): readonly string[] {
  const defaults = new Map<string, unknown>(Object.entries(new section()));
  return [...keysOf(section).values()].map((key) => {
    const cells = [`\`${key.name}\``, renderValue(key), renderDefault(key, defaults.get(key.name)), renderUse(key)];
    return `| ${[...cells, key.description].map(escapeCell).join(' | ')} |`;
  });
}

function renderValue(key: Key): string {
  switch (key.form) {
    case 'value':
      return key.kind.expected;
    case 'list of values':
      return `list of up to ${key.maxItems}: ${key.kind.expected}`;
    case 'named values':
      return `by name (up to ${key.maxItems}): ${key.kind.expected}`;
    case 'section':
      return key.shorthand === undefined ? 'section' : `section, or its \`${key.shorthand}\` alone`;
    case 'list of sections':
      return `list of up to ${key.maxItems} sections`;
    case 'named sections':
      return `sections by name, up to ${key.maxItems}`;
    default:
      return key satisfies never;
  }
}

function renderDefault({ isRequired, computedDefault }: Key, defaultValue: unknown): string {
  if (isRequired) {
    return 'required';
  }
  const isWritten = defaultValue !== undefined && typeof defaultValue !== 'object';
  return computedDefault ?? (isWritten ? `\`${String(defaultValue)}\`` : '');
}

function renderUse({ levels, appliesTo }: Key): string {
  return levels?.map((level) => `\`${level}\``).join(', ') ?? appliesTo ?? '';
}

function escapeCell(cell: string): string {
  return cell.replaceAll('|', '\\|').replaceAll(/<(?=[a-z])(?![^`]*`)/g, '\\<');
}
