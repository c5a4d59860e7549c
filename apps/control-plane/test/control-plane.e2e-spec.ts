import { Controller, Get } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ForAdmin } from '@palisade/guards';
import { JsonLogger } from '@palisade/platform';
import request from 'supertest';
import { AppModule } from '../src/app.module.js';
import { setupApp } from '../src/app.setup.js';
import { loadConfig } from '../src/config/control-plane.config.js';

@Controller('api/v1')
class ProbeController {
  @Get('guarded')
  @ForAdmin('read')
  guarded(): string {
    return 'for admins';
  }

  @Get('undecorated')
  undecorated(): string {
    return 'for nobody';
  }
}

describe('control plane', () => {
  let app: NestExpressApplication;
  beforeAll(async () => {
    const config = loadConfig({ NODE_ENV: 'test', SVC_ADMIN_TOKEN: 'admin-token-of-this-test' });
    const module = await Test.createTestingModule({
      imports: [AppModule.forRoot(config)],
      controllers: [ProbeController],
    }).compile();
    app = module.createNestApplication<NestExpressApplication>({ logger: false });
    setupApp(app, new JsonLogger({ service: 'control-plane', level: 'fatal' }));
    await app.init();
  });
  afterAll(() => app.close());

  const get = (path: string) => request(app.getHttpServer()).get(path);

  it.each(['/health/live', '/health/ready', '/metrics', '/docs', '/docs-json'])(
    'opens %s to everybody',
    async (path) => {
      await get(path).redirects(1).expect(200);
    },
  );

  it('answers an unknown path with 404 as problem details', async () => {
    const { body } = await get('/api/v1/nothing')
      .expect(404)
      .expect('Content-Type', /^application\/problem\+json/);
    expect(body).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('challenges a caller without a token', async () => {
    await get('/api/v1/guarded').expect(401).expect('WWW-Authenticate', 'Bearer realm="palisade"');
  });

  it('refuses another token', async () => {
    const { body } = await get('/api/v1/guarded').auth('another-token-entirely', { type: 'bearer' }).expect(401);
    expect(body).toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  it('admits the admin token', async () => {
    await get('/api/v1/guarded').auth('admin-token-of-this-test', { type: 'bearer' }).expect(200, 'for admins');
  });

  it('closes a route that says nothing about its callers, even to admins', async () => {
    await get('/api/v1/undecorated').auth('admin-token-of-this-test', { type: 'bearer' }).expect(403);
  });
});
