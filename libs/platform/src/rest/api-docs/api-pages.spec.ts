import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import request from 'supertest';
import { setupApiPages } from './api-pages.js';

describe(setupApiPages.name, () => {
  let app: NestExpressApplication;
  let rendered: number;

  beforeEach(async () => {
    rendered = 0;
    const info = {
      version: '1',
      get title() {
        rendered += 1;
        return 'Test';
      },
    };
    app = (await Test.createTestingModule({}).compile()).createNestApplication<NestExpressApplication>();
    setupApiPages(app, 'Test', () => ({ openapi: '3.0.0', info, paths: {} }));
    await app.init();
  });
  afterEach(() => app.close());

  it.each([
    ['/docs-json', /^application\/json/],
    ['/docs-yaml', /yaml/],
  ])('renders %s once', async (path, type) => {
    const { text } = await request(app.getHttpServer()).get(path).expect(200);
    const renderedFirst = rendered;
    const again = await request(app.getHttpServer()).get(path).buffer().expect('Content-Type', type);
    expect(again.text).toBe(text);
    expect([renderedFirst > 0, rendered]).toEqual([true, renderedFirst]);
  });

  it('keeps no answer to another method', async () => {
    await request(app.getHttpServer()).post('/docs-json').expect(404);
    await request(app.getHttpServer()).get('/docs-json').expect(200);
  });
});
