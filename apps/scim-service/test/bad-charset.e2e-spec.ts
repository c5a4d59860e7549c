import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { ScimApp } from '../../../test/support/scim-app.js';
import { ERROR_URN, user } from '../../../test/support/scim-bodies.js';
import type { ScimClient } from '../../../test/support/scim-client.js';

let app: ScimApp;
let client: ScimClient;

beforeAll(async () => {
  app = await ScimApp.start();
  client = await app.connect();
});

afterAll(() => app.close());

function create(type: string, userName: string) {
  return request(client.origin)
    .post('/scim/v2/Users')
    .set({ Authorization: `Bearer ${client.token}`, 'Content-Type': type })
    .serialize((body: unknown) => JSON.stringify(body))
    .send(user({ userName }));
}

describe('the charset of a body', () => {
  it.each([
    'application/scim+json; charset=utf-16',
    'application/scim+json; charset="UTF-16LE"',
    'application/json;charset=iso-8859-1',
    'application/json; version="; charset=utf-8"; charset=utf-16',
    "application/json; charset='utf-8'",
  ])('is rejected as %s', async (type) => {
    const response = await create(type, 'rejected@example.com');
    expect([response.status, response.body.schemas]).toEqual([415, [ERROR_URN]]);
  });

  it.each([
    'application/scim+json',
    'application/scim+json; charset=utf-8',
    'application/scim+json; charset="UTF-8"',
    'application/json;charset=UTF8',
    'application/json ; Charset=us-ascii',
    'application/json; version=2',
  ])('[RFC7644-3.8] is UTF-8 in %s', async (type) => {
    const response = await create(type, type);
    expect(response.status).toBe(201);
  });
});
