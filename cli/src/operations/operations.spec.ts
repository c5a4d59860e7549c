import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { OPERATION_GROUPS, SINGLE_OPERATIONS } from './all.js';
import type { Operation } from './operation.js';

interface Parameter {
  readonly name: string;
  readonly required?: boolean;
}

interface Schema {
  readonly $ref?: string;
  readonly required?: readonly string[];
}

interface Route {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema?: Schema }>> };
}

interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Route>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const documents = Object.fromEntries(
  ['scim-service', 'control-plane'].map((name) => {
    const path = join(import.meta.dirname, `../../../docs/openapi/${name}.json`);
    return [name, JSON.parse(readFileSync(path, 'utf8')) as ApiDocument];
  }),
);

const operations = [...OPERATION_GROUPS.flatMap((group) => group.operations), ...SINGLE_OPERATIONS].map(
  (operation): [string, Operation] => [operation.example, operation],
);

/** Fields that a request must have, in its path, its query or its body. */
function requiredFields({ service, path, method }: Operation): readonly string[] {
  const document = documents[service];
  const route = document?.paths[path]?.[method.toLowerCase()];
  const parameters = (route?.parameters ?? []).filter(({ required }) => required === true).map(({ name }) => name);
  const schema = route?.requestBody?.content['application/json']?.schema;
  const body = document?.components.schemas[schema?.$ref?.split('/').at(-1) ?? ''];
  return [...parameters, ...(body?.required ?? [])];
}

// What is sent and shown is compared with the documents when this compiles (documented-operation.ts).
describe.each(operations)('%s', (_, operation) => {
  const words = operation.arguments ?? [];

  it('names each parameter of the path', () => {
    const named = words.filter(({ field }) => field === undefined).map(({ name }) => name);
    expect(named).toEqual([...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
  });

  it('takes no fewer words than the request must have fields', () => {
    const fixed = [...Object.keys(operation.body ?? {}), ...Object.keys(operation.query ?? {})];
    const given = new Set([...words.map(({ name, field }) => field ?? name), ...fixed]);
    expect(requiredFields(operation).filter((field) => !given.has(field))).toEqual([]);
  });
});
