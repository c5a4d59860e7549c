import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ScimApp } from '../../../test/support/scim-app.js';
import { ERROR_URN, user } from '../../../test/support/scim-bodies.js';
import type { ScimClient } from '../../../test/support/scim-client.js';
import { describeOnEveryStore } from '../../../test/support/stores.js';

const FINGERPRINT_LENGTH = 16;

describeOnEveryStore('cursors that nobody was given', (openStore) => {
  let app: ScimApp;
  let client: ScimClient;

  beforeAll(async () => {
    app = await ScimApp.start(await openStore());
    client = await app.connect();
    await client.post('/Users', user({ userName: 'ada', externalId: 'ada' }));
    await client.post('/Users', user({ userName: 'bob', externalId: 'bob' }));
  });

  afterAll(() => app.close());

  /** The answer to a cursor of the query whose position has been exchanged for another. */
  async function followForged(sortBy: string, position: readonly unknown[]) {
    const query = { sortBy, count: 1 };
    const { body: first } = await client.query('/Users', { ...query, cursor: '' });
    const fingerprint = String(first.nextCursor).slice(0, FINGERPRINT_LENGTH);
    const cursor = fingerprint + Buffer.from(JSON.stringify(position)).toString('base64url');
    return client.query('/Users', { ...query, cursor });
  }

  it.each([
    ['an instant before any that a store can hold', 'meta.created', [1, '-200000-01-01T00:00:00.000Z']],
    ['a text that is no instant', 'meta.created', [1, 'soon']],
    ['a boolean for an instant', 'meta.lastModified', [1, true]],
    ['a number for a text', 'userName', [1, 5]],
    ['a boolean for a text', 'externalId', [1, true]],
  ])('[RFC9865-2.1] answers %s with 400 invalidCursor', async (_, sortBy, position) => {
    const { status, body } = await followForged(sortBy, position);
    expect([status, body.schemas, body.scimType]).toEqual([400, [ERROR_URN], 'invalidCursor']);
  });
});
