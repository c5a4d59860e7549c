import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { OPERATION_GROUPS, SINGLE_OPERATIONS } from './all.js';
import type { Operation } from './operation.js';

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly allOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly enum?: readonly unknown[];
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

interface ApiDocument {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          {
            readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema?: Schema }[];
            readonly requestBody?: Content;
            readonly responses: Readonly<Record<string, Content>>;
          }
        >
      >
    >
  >;
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

/** What a path with dots may name; through lists, and anything at all below what has no fields of its own. */
function has(document: ApiDocument, schema: Schema | undefined, path: readonly string[]): boolean {
  const [first, ...rest] = path;
  if (first === undefined) {
    return schema !== undefined;
  }
  const name = schema?.$ref?.split('/').at(-1);
  if (name !== undefined) {
    return has(document, document.components.schemas[name], path);
  }
  const found = schema?.properties?.[first];
  return (
    (found !== undefined && has(document, found, rest)) ||
    (schema?.items !== undefined && has(document, schema.items, path)) ||
    (schema?.allOf ?? []).some((part) => has(document, part, path))
  );
}

const schemaOf = (content: Content | undefined): Schema | undefined => Object.values(content?.content ?? {})[0]?.schema;

describe.each(operations)('%s', (_, operation) => {
  const document = documents[operation.service];
  const route = document?.paths[operation.path]?.[operation.method.toLowerCase()];
  const answer = schemaOf(Object.entries(route?.responses ?? {}).find(([status]) => status.startsWith('2'))?.[1]);

  it('is a route of the service', () => {
    expect(route).toBeDefined();
  });

  it('names each parameter of the path', () => {
    const words = (operation.arguments ?? []).filter(({ field }) => field === undefined).map(({ name }) => name);
    expect(words).toEqual([...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
  });

  it('sends fields that the service knows', () => {
    const sent = [...(operation.arguments ?? []), ...(operation.options ?? [])].flatMap(({ field }) => field ?? []);
    const fixed = [...Object.keys(operation.body ?? {}), ...Object.keys(operation.query ?? {})];
    const isQuery = operation.method === 'GET' || operation.method === 'DELETE';
    const parameters = new Set((route?.parameters ?? []).filter((one) => one.in === 'query').map(({ name }) => name));
    const unknown = [...sent, ...fixed].filter((field) =>
      isQuery ? !parameters.has(field) : !document || !has(document, schemaOf(route?.requestBody), [field]),
    );
    expect(unknown).toEqual([]);
  });

  it('shows fields that the service answers', () => {
    const columns = (operation.columns ?? []).map((column) => [operation.items ?? '', ...column.split('.')]);
    const single = [operation.headline, operation.mustBeTrue].flatMap((field) =>
      field === undefined ? [] : [[field]],
    );
    expect([...columns, ...single].filter((path) => !document || !has(document, answer, path))).toEqual([]);
  });
});
