import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { APP_GUARD } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseNamespaceId } from '@palisade/domain';
import { NamespaceAuthenticator, NamespaceGuard, apiKeyDirectory, createApiKey } from '@palisade/guards';
import { renderVariables } from '@palisade/platform';
import request from 'supertest';
import { requireRedisUrl } from '../../../test/support/test-services.js';
import { DATA_PROXY_VARIABLES } from '../src/data-proxy.variables.js';
import { VisitsModule } from './support/embedding-example.js';

const README = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8');

describe('README.md', () => {
  it('embeds the library by code that is tested', () => {
    expect(README).toContain(readFileSync(join(import.meta.dirname, 'support/embedding-example.ts'), 'utf8'));
  });

  it('describes the variables as they are', () => {
    expect(README).toContain(renderVariables(DATA_PROXY_VARIABLES));
  });
});

describe('the example of the README', () => {
  const [first, second] = ['acme', 'bolt'].map((name) => {
    const { key, ...kept } = createApiKey();
    return { key, kept: { ...kept, namespace: parseNamespaceId(`${name}-${randomBytes(4).toString('hex')}`) } };
  });
  let app: NestExpressApplication;

  beforeAll(async () => {
    const apiKeys = apiKeyDirectory([first, second].flatMap((each) => (each === undefined ? [] : [each.kept])));
    const module = await Test.createTestingModule({
      imports: [VisitsModule.forRoot(requireRedisUrl())],
      providers: [
        { provide: NamespaceAuthenticator, useValue: new NamespaceAuthenticator({ apiKeys }) },
        { provide: APP_GUARD, useClass: NamespaceGuard },
      ],
    }).compile();
    app = module.createNestApplication<NestExpressApplication>();
    await app.listen(0, '127.0.0.1');
  });

  afterAll(() => app.close());

  it('counts for each namespace', async () => {
    const visit = async (key = '') => {
      const { text } = await request(app.getHttpServer()).post('/visits').set('X-Api-Key', key).send({ page: 'home' });
      return text;
    };
    expect([await visit(first?.key), await visit(first?.key), await visit(second?.key)]).toEqual(['1', '2', '1']);
  });
});
