import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { isObject } from '@palisade/domain';
import { FRAMEWORKS, renderFrameworks } from './frameworks.js';
import { configurationSchema, renderReference } from './reference.js';

const ROOT = join(import.meta.dirname, '../../../..');
const contentOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** The names of all keys of a schema for editors. */
function keysIn(json: unknown): readonly (readonly [string, { readonly description?: string }])[] {
  if (Array.isArray(json)) {
    return json.flatMap(keysIn);
  }
  if (!isObject(json)) {
    return [];
  }
  const { properties, ...others } = json;
  const own = Object.entries(isObject(properties) ? properties : {}) as [string, { readonly description?: string }][];
  return [...own, ...own.flatMap(([, each]) => keysIn(each)), ...Object.values(others).flatMap(keysIn)];
}

// `npm run docs` writes them.
describe('documents made of the keys', () => {
  it('docs/control-plane/configuration.md has every key as it is', () => {
    expect(contentOf('docs/control-plane/configuration.md')).toContain(renderReference());
  });

  it('docs/control-plane/compliance.md has the demands as they are', () => {
    expect(contentOf('docs/control-plane/compliance.md')).toContain(renderFrameworks());
  });

  it('control-plane.schema.json is what `config schema` prints', () => {
    expect(JSON.parse(contentOf('apps/control-plane/control-plane.schema.json'))).toEqual(configurationSchema());
  });

  it('docs/control-plane/compliance.md names where each framework says so', () => {
    const reasons =
      contentOf('docs/control-plane/compliance.md').split('## What is checked, and why')[1]?.toLowerCase() ?? '';
    const names = FRAMEWORKS.map(({ name }) =>
      name
        .toLowerCase()
        .replaceAll(/[^a-z]/g, '')
        .slice(0, 3),
    );
    expect(names.filter((name) => !reasons.replaceAll(/[^a-z]/g, '').includes(name))).toEqual([]);
  });
});

describe(renderReference.name, () => {
  it('has a row for every key of every section', () => {
    const reference = renderReference();
    const { dependencies: _, ...schema } = configurationSchema();
    const keys = keysIn(schema).map(([name]) => name);
    expect([keys.length > 200, keys.filter((key) => !reference.includes(`| \`${key}\` |`))]).toEqual([true, []]);
  });
});

describe(configurationSchema.name, () => {
  it('describes every key', () => {
    const { dependencies: _, ...schema } = configurationSchema();
    const keys = keysIn(schema);
    expect([keys.length > 200, keys.filter(([, { description }]) => !description)]).toEqual([true, []]);
  });
});
