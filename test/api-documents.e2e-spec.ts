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
});
