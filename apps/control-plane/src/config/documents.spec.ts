import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { configurationSchema } from './config-commands.js';
import { FRAMEWORKS } from './frameworks.js';
import { renderFrameworks } from './render-frameworks.js';
import { ControlPlaneFile } from '../settings/dto/control-plane-file.js';
import { keysOf, type SectionClass } from '../settings/sections/key-registry.js';
import { renderReference } from '../settings/reference/render-reference.js';

const ROOT = join(import.meta.dirname, '../../../..');
const contentOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

function collectSections(section: SectionClass, found = new Set<SectionClass>()): ReadonlySet<SectionClass> {
  if (!found.has(section)) {
    found.add(section);
    for (const key of keysOf(section).values()) {
      if ('section' in key) {
        collectSections(key.section(), found);
      }
    }
  }
  return found;
}

// `npm run docs` makes them anew.
describe('documents made of the keys', () => {
  it('docs/control-plane/configuration.md has every key as it is', () => {
    expect(contentOf('docs/control-plane/configuration.md')).toContain(renderReference(ControlPlaneFile));
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
    const reference = renderReference(ControlPlaneFile);
    const keys = [...collectSections(ControlPlaneFile)].flatMap((section) => [...keysOf(section).keys()]);
    expect([keys.length > 100, keys.filter((key) => !reference.includes(`| \`${key}\` |`))]).toEqual([true, []]);
  });
});

describe(configurationSchema.name, () => {
  it('describes every key', () => {
    const { properties, definitions } = configurationSchema() as {
      properties: Record<string, { description?: string }>;
      definitions: Record<string, { properties: Record<string, { description?: string }> }>;
    };
    const all = [properties, ...Object.values(definitions).map((each) => each.properties)].flatMap(Object.entries);
    expect([all.length > 100, all.filter(([, { description }]) => !description)]).toEqual([true, []]);
  });
});
