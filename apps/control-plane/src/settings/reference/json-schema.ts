import { targetConstructorToSchema } from 'class-validator-jsonschema';
import { KEY_CONSTRAINT } from '../sections/setting.decorator.js';
import { keysOf, type Key, type SectionClass } from '../sections/key-registry.js';

type JsonSchema = Readonly<Record<string, unknown>>;

const DEFINITIONS = '#/definitions/';

/**
 * JSON Schema (draft 7, which editors know best) of a section and of all that it contains. It describes single values;
 * what cannot be true together, only the program finds.
 */
export function toJsonSchema(
  root: SectionClass,
  { title, id }: { readonly title: string; readonly id: string },
): JsonSchema {
  const [, ...sections] = collectSections(root);
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: id,
    title,
    ...describeSection(root),
    definitions: Object.fromEntries(sections.map((section) => [section.name, describeSection(section)])),
  };
}

function collectSections(root: SectionClass, found: Set<SectionClass> = new Set()): Set<SectionClass> {
  if (!found.has(root)) {
    found.add(root);
    for (const key of keysOf(root).values()) {
      if ('section' in key) {
        collectSections(key.section(), found);
      }
    }
  }
  return found;
}

function describeSection(section: SectionClass): JsonSchema {
  const defaults = new Map<string, unknown>(Object.entries(new section()));
  const schema = targetConstructorToSchema(section, {
    additionalConverters: {
      // The one constraint of a key says everything of it, so the nested validation has nothing to add.
      [KEY_CONSTRAINT]: ({ constraints: [key] }: { readonly constraints: readonly Key[] }) =>
        key === undefined ? {} : describeKey(key, defaults.get(key.name)),
      nestedValidation: {},
    },
  });
  return { ...schema, additionalProperties: false };
}

function describeKey(key: Key, defaultValue: unknown): JsonSchema {
  const isPlain = defaultValue !== undefined && typeof defaultValue !== 'object';
  return {
    description: describeUse(key),
    ...(isPlain && { default: defaultValue }),
    ...describeValue(key),
  };
}

function describeUse({ description, levels, appliesTo }: Key): string {
  const of = levels === undefined ? appliesTo : `isolation_level ${levels.join(', ')}`;
  return of === undefined ? description : `${description} (${of})`;
}

function describeValue(key: Key): JsonSchema {
  switch (key.form) {
    case 'value':
      return key.kind.schema as JsonSchema;
    case 'list of values':
      return { type: 'array', maxItems: key.maxItems, items: key.kind.schema };
    case 'named values':
      return describeNamed(key, key.kind.schema as JsonSchema);
    case 'section':
      return key.shorthand === undefined ? referTo(key.section()) : describeShorthand(key.section(), key.shorthand);
    case 'list of sections':
      return { type: 'array', maxItems: key.maxItems, items: referTo(key.section()) };
    case 'named sections':
      return describeNamed(key, referTo(key.section()));
    default:
      return key satisfies never;
  }
}

function describeNamed(
  { names, maxItems }: Extract<Key, { form: 'named values' | 'named sections' }>,
  value: JsonSchema,
): JsonSchema {
  return { type: 'object', maxProperties: maxItems, propertyNames: names.schema, additionalProperties: value };
}

/** A text that stands for a section with one key. */
function describeShorthand(section: SectionClass, shorthand: string): JsonSchema {
  const key = keysOf(section).get(shorthand);
  return { anyOf: [referTo(section), key === undefined ? {} : describeValue(key)] };
}

/** Beside `$ref` draft 7 ignores everything, descriptions included. */
function referTo(section: SectionClass): JsonSchema {
  return { allOf: [{ $ref: `${DEFINITIONS}${section.name}` }] };
}
