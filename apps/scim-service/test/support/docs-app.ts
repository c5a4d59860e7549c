import type { NestExpressApplication } from '@nestjs/platform-express';
import { parseProviderId } from '@palisade/domain';
import { JsonLogger } from '@palisade/platform';
import { MemoryStore } from '@palisade/storage';
import request from 'supertest';
import { createScimServiceApp } from '../../src/app.setup.js';
import type { ScimServiceConfig } from '../../src/config/scim-service.config.js';
import { ApiDocument } from './api-document.js';

/** Credentials by the name of their security scheme. */
export const TOKENS = { scim: 'scim-token-of-these-tests', admin: 'admin-token-of-these-tests' } as const;

/** The service as it is deployed, empty but for the provider `default`. */
export async function startDocumentedApp(config: Partial<ScimServiceConfig> = {}): Promise<NestExpressApplication> {
  const scimProviderId = parseProviderId('default');
  const app = await createScimServiceApp({
    config: { adminToken: TOKENS.admin, scimBearerToken: TOKENS.scim, scimProviderId, ...config },
    store: new MemoryStore(),
    logger: new JsonLogger({ service: 'test', level: 'fatal' }),
  });
  await app.listen(0, '127.0.0.1');
  return app;
}

export async function readDocument(app: NestExpressApplication): Promise<ApiDocument> {
  const { body } = await request(app.getHttpServer()).get('/docs-json').expect(200);
  return new ApiDocument(body);
}
