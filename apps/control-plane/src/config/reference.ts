import { BACKEND_KINDS } from '@palisade/domain';
import {
  keyNotes,
  keysOf,
  maxItemsOf,
  sectionsOf,
  shorthandOf,
  structureOf,
  valueNotes,
  withoutWrappers,
  type KeyNotes,
} from '@palisade/isolation/settings';
import { z } from 'zod';
import { CONTROL_PLANE_FILE } from './schema/control-plane-file.js';

type Schema = z.core.$ZodType;

const HEADER = ['| key | value | default | applies to | meaning |', '|---|---|---|---|---|'];
const BACKEND = new RegExp(`\\b(?:${BACKEND_KINDS.join('|')})\\b`);

/** Every key of a section and of all that it contains, as markdown: one table for each section. */
export function renderReference(root: Schema = CONTROL_PLANE_FILE): string {
  const tables = new Map<string, string[]>();
  for (const [section, path] of sectionsOf(root)) {
    const rows = renderKeys(section).join('\n');
    tables.set(rows, [...(tables.get(rows) ?? []), path]);
  }
  return [...tables]
    .map(([rows, paths]) => {
      const places =
        paths.length < BACKEND_KINDS.length ? paths : paths.map((path) => path.replace(BACKEND, '<backend>'));
      const heading = [...new Set(places)].map((path) => (path === '' ? 'Top level' : `\`${path}\``)).join(', ');
      return [`### ${heading}`, '', ...HEADER, rows].join('\n');
    })
    .join('\n\n');
}

function renderKeys(section: z.ZodObject): readonly string[] {
  return Object.entries(keysOf(section)).map(([name, key]) => {
    const notes = keyNotes(key);
    const cells = [`\`${name}\``, renderValue(key), renderDefault(key, notes), renderUse(notes)];
    return `| ${[...cells, notes?.description ?? ''].map(escapeCell).join(' | ')} |`;
  });
}

function renderValue(key: Schema): string {
  const schema = withoutWrappers(key);
  const { expected } = valueNotes(schema) ?? {};
  if (expected !== undefined) {
    return expected;
  }
  const structure = structureOf(schema);
  if (structure instanceof z.ZodArray) {
    const each = valueNotes(structure.def.element)?.expected;
    const max = maxItemsOf(structure);
    return each === undefined ? `list of up to ${max} sections` : `list of up to ${max}: ${each}`;
  }
  if (structure instanceof z.ZodRecord) {
    const each = valueNotes(structure.def.valueType)?.expected;
    const max = maxItemsOf(structure);
    return each === undefined ? `sections by name, up to ${max}` : `by name (up to ${max}): ${each}`;
  }
  const shorthand = shorthandOf(schema);
  return shorthand === undefined ? 'section' : `section, or its \`${shorthand}\` alone`;
}

function renderDefault(key: Schema, notes: KeyNotes | undefined): string {
  if (key instanceof z.ZodPrefault) {
    const written: unknown = key.def.defaultValue;
    return typeof written === 'object' ? '' : `\`${String(written)}\``;
  }
  return notes?.computedDefault ?? (key instanceof z.ZodOptional ? '' : 'required');
}

function renderUse(notes: KeyNotes | undefined): string {
  return notes?.levels?.map((level) => `\`${level}\``).join(', ') ?? notes?.appliesTo ?? '';
}

function escapeCell(cell: string): string {
  return cell.replaceAll('|', '\\|').replaceAll(/<(?=[a-z])(?![^`]*`)/g, '\\<');
}

/**
 * JSON Schema of the file (draft 7, which editors know best). It describes single values; what cannot be true together,
 * only the program finds.
 */
export function configurationSchema(): Readonly<Record<string, unknown>> {
  const { $schema, ...schema } = describe(CONTROL_PLANE_FILE);
  return {
    $schema,
    $id: 'urn:palisade:control-plane',
    title: 'Palisade control plane',
    ...schema,
    // Two names of one section.
    dependencies: { control_plane: { properties: { prism_bridge: false } } },
  };
}

function describe(schema: Schema): Record<string, unknown> {
  return z.toJSONSchema(schema, {
    target: 'draft-7',
    io: 'input',
    override: ({ zodSchema, jsonSchema }) => complete(zodSchema, jsonSchema),
  });
}

/** Adds what zod does not know of: meanings, numbers of names, and texts that stand for sections. */
function complete(schema: Schema, json: Record<string, unknown>): void {
  const notes = keyNotes(schema);
  if (notes !== undefined) {
    json['description'] = describeUse(notes);
  }
  if (typeof json['default'] === 'object') {
    delete json['default'];
  }
  if (schema instanceof z.ZodRecord) {
    json['maxProperties'] = maxItemsOf(schema);
  }
  const shorthand = shorthandOf(schema);
  const structure = shorthand === undefined ? undefined : structureOf(schema);
  if (structure instanceof z.ZodObject && shorthand !== undefined) {
    json['anyOf'] = [structure, keysOf(structure)[shorthand] ?? structure].map(describePart);
  }
}

function describePart(schema: Schema): Record<string, unknown> {
  const { $schema: _, ...json } = describe(schema);
  return json;
}

function describeUse({ description, levels, appliesTo }: KeyNotes): string {
  const use = levels === undefined ? appliesTo : `isolation_level ${levels.join(', ')}`;
  return use === undefined ? description : `${description} (${use})`;
}
