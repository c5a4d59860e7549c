import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INestApplication } from '@nestjs/common';
import { describe, expect, it } from '@jest/globals';
import { JsonLogger } from '@palisade/platform';
import { MemoryStore } from '@palisade/storage';
import { createControlPlaneApp } from '../apps/control-plane/src/app.setup.js';
import { createScimServiceApp } from '../apps/scim-service/src/app.setup.js';

const SERVICES = [
  ['scim-service', createScimServiceApp],
  ['control-plane', createControlPlaneApp],
] as const;

const NAMES = SERVICES.map(([name]) => name);

describe('docs/openapi', () => {
  it.each(SERVICES)('has what %s serves (npm run docs)', async (name, create) => {
    const app: INestApplication = await create({
      config: {},
      store: new MemoryStore(),
      logger: new JsonLogger({ service: 'test', level: 'fatal' }),
    });
    await app.listen(0, '127.0.0.1');
    const served: unknown = await (await fetch(`${await app.getUrl()}/docs-json`)).json();
    await app.close();
    const committed: unknown = JSON.parse(
      readFileSync(join(import.meta.dirname, `../docs/openapi/${name}.json`), 'utf8'),
    );
    expect(committed).toEqual(served);
  });

  it.each(NAMES)('says of every operation of %s that the URL and headers may be too large', (name) => {
    const without = operationsOf(name).filter(({ responses }) => !('431' in responses));
    expect(without.map(({ operationId }) => operationId)).toEqual([]);
  });

  it.each(NAMES)('says of bodies for admins of %s that they have no other fields', (name) => {
    const { components } = readDocument(name);
    const open = operationsOf(name)
      .filter(({ security = [] }) => security.some((requirement) => 'admin' in requirement))
      .flatMap(({ requestBody }) => requestBody?.content['application/json']?.schema.$ref ?? [])
      .map((reference) => reference.replace('#/components/schemas/', ''))
      .filter((schema) => components.schemas[schema]?.additionalProperties !== false);
    expect(open).toEqual([]);
  });
});

interface Operation {
  readonly operationId: string;
  readonly security?: readonly object[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: { readonly $ref?: string } }>>;
  };
  readonly responses: object;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, { readonly additionalProperties?: unknown }>> };
}

function readDocument(name: string): Document {
  return JSON.parse(readFileSync(join(import.meta.dirname, `../docs/openapi/${name}.json`), 'utf8')) as Document;
}

function operationsOf(name: string): Operation[] {
  return Object.values(readDocument(name).paths).flatMap((methods) => Object.values(methods));
}
