import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ScimApp } from '../../../test/support/scim-app.js';
import { patchOp, pathOf, user } from '../../../test/support/scim-bodies.js';
import type { ScimClient } from '../../../test/support/scim-client.js';
import { describeOnEveryStore } from '../../../test/support/stores.js';

const MAX_RESOURCE_BYTES = 256 * 1024;
const LONG_TEXT = 'x'.repeat(64_000);

describeOnEveryStore('the size of a resource', (openStore) => {
  let app: ScimApp;
  let client: ScimClient;

  beforeAll(async () => {
    app = await ScimApp.start(await openStore());
    client = await app.connect();
  });

  afterAll(() => app.close());

  it('does not grow beyond its bound, whatever many patches add', async () => {
    const { body: created } = await client.post('/Users', user({ userName: 'ada' }));
    const statuses: number[] = [];
    for (let round = 0; round < 3; round++) {
      const value = Array.from({ length: 3 }, (_, index) => ({ value: `${round}-${index}`, display: LONG_TEXT }));
      const answer = await client.patch(
        `${pathOf(created)}?attributes=id`,
        patchOp({ op: 'add', path: 'emails', value }),
      );
      statuses.push(answer.status);
    }
    const { text } = await client.get(pathOf(created));
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MAX_RESOURCE_BYTES);
    expect(statuses).toEqual([200, 400, 400]);
  });
});
