import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ScimApp } from '../support/scim-app.js';
import { user } from '../support/scim-bodies.js';
import { rejection } from './rejection.js';

let app: ScimApp;
beforeAll(async () => {
  app = await ScimApp.start();
});
afterAll(() => app.close());

describe('RFC 7644 §5 and §7.8 internationalized strings', () => {
  it.each([
    ['case', 'JÜRGEN', 'jürgen'],
    ['composition', 'jürgen', 'ju\u0308rgen'],
    ['case beyond Latin', 'ΣΊΣΥΦΟΣ', 'σίσυφος'],
    ['width', 'ｊｕｅｒｇｅｎ', 'juergen'],
  ])('[RFC7644-5-1] takes userNames that differ only in %s for one', async (_difference, first, second) => {
    const scim = await app.connect();
    await scim.post('/Users', user({ userName: first }));
    expect(rejection(await scim.post('/Users', user({ userName: second })))).toBe('409 uniqueness');
  });

  it('[RFC7644-5-1] keeps userNames apart that differ in a letter or an accent', async () => {
    const scim = await app.connect();
    const statuses = [];
    for (const userName of ['jurgen', 'jürgen', 'juergen']) {
      statuses.push((await scim.post('/Users', user({ userName }))).status);
    }
    expect(statuses).toEqual([201, 201, 201]);
  });

  it.each([
    ['userName eq "ANDRE\u0301"', 1],
    ['userName sw "andr\u00c9"', 1],
    ['title co "CAF\u00c9"', 1],
    ['title co "cafe\u0301"', 1],
    ['title co "cafe b"', 0],
  ])('[RFC7644-7.8-1] prepares the strings of the filter %s', async (filter, count) => {
    const scim = await app.connect();
    await scim.post('/Users', user({ userName: 'André', title: 'Head of café bars' }));
    const { body } = await scim.query('/Users', { filter });
    expect(body.totalResults).toBe(count);
  });

  it('[RFC7644-7.8-1] returns strings as they were sent, whatever they compare as', async () => {
    const scim = await app.connect();
    const { body } = await scim.post('/Users', user({ userName: 'JU\u0308RGEN' }));
    expect(body.userName).toBe('JU\u0308RGEN');
  });
});
