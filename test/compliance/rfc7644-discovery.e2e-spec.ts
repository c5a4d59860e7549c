import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ScimApp } from '../support/scim-app.js';
import type { ScimClient } from '../support/scim-client.js';
import { ENTERPRISE_URN, GROUP_URN, LIST_URN, USER_URN } from '../support/scim-bodies.js';
import { DEVICE_EXTENSION, DEVICE_URN } from './device-extension.js';
import { rejection } from './rejection.js';

const CORE = 'urn:ietf:params:scim:schemas:core:2.0';

let app: ScimApp;
let scim: ScimClient;
beforeAll(async () => {
  app = await ScimApp.start();
  scim = await app.connect();
});
afterAll(() => app.close());

describe('RFC 7644 §4 discovery', () => {
  it('[RFC7644-4-1] answers the configuration under its schema', async () => {
    const { status, body } = await scim.get('/ServiceProviderConfig');
    expect([status, body.schemas]).toEqual([200, [`${CORE}:ServiceProviderConfig`]]);
  });

  it("[RFC7644-4-2][RFC7644-4-3] lists all schemas, those of the provider's extensions too", async () => {
    const extended = await app.connect({ extensions: [DEVICE_EXTENSION] });
    const { body } = await extended.get('/Schemas');
    const ids = body.Resources.map(({ id }: { id: string }) => id);
    expect([body.schemas, body.totalResults]).toEqual([[LIST_URN], body.Resources.length]);
    expect(ids).toEqual(expect.arrayContaining([USER_URN, GROUP_URN, ENTERPRISE_URN, DEVICE_URN]));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('[RFC7644-4-2] keeps the extensions of one provider from others', async () => {
    expect(rejection(await scim.get(`/Schemas/${DEVICE_URN}`))).toBe('404');
  });

  it('[RFC7644-4-3] lists the resource types in a ListResponse', async () => {
    const { body } = await scim.get('/ResourceTypes');
    const ids = body.Resources.map(({ id }: { id: string }) => id);
    expect([body.schemas, body.totalResults, ids]).toEqual([[LIST_URN], 2, ['User', 'Group']]);
  });

  it('[RFC7644-4] returns one schema or resource type as it is, at the location it states', async () => {
    const { body: schema } = await scim.get(`/Schemas/${USER_URN}`);
    const { body: type } = await scim.get('/ResourceTypes/User');
    const [again, typeAgain] = [await scim.follow(schema.meta.location), await scim.follow(type.meta.location)];
    expect([schema.schemas, type.schemas]).toEqual([[`${CORE}:Schema`], [`${CORE}:ResourceType`]]);
    expect([again.body, typeAgain.body]).toEqual([schema, type]);
  });

  it.each([['/Schemas'], ['/ResourceTypes']])('[RFC7644-4-4] ignores sorting and paging at %s', async (path) => {
    const { body: plain } = await scim.get(path);
    const { status, body } = await scim.query(path, {
      sortBy: 'name',
      sortOrder: 'descending',
      startIndex: 2,
      count: 1,
    });
    expect([status, body]).toEqual([200, plain]);
  });

  it.each([['/Schemas'], ['/ResourceTypes'], ['/ServiceProviderConfig']])(
    '[RFC7644-4-5] answers 403 to a filter at %s',
    async (path) => {
      expect(rejection(await scim.query(path, { filter: 'name eq "User"' }))).toBe('403');
    },
  );

  it.each([['/Schemas'], ['/ResourceTypes'], ['/ServiceProviderConfig']])(
    '[RFC7644-4] cannot be written at %s',
    async (path) => {
      const answer = await scim.post(path, { schemas: [], name: 'x' });
      expect([rejection(answer), answer.headers.allow]).toEqual(['405', 'GET, HEAD']);
    },
  );
});
