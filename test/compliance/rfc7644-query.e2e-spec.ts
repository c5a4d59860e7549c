import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ScimApp } from '../support/scim-app.js';
import type { ScimClient } from '../support/scim-client.js';
import { LIST_URN, group, user } from '../support/scim-bodies.js';
import { rejection } from './rejection.js';

let app: ScimApp;
beforeAll(async () => {
  app = await ScimApp.start();
});
afterAll(() => app.close());

/** A provider with the users given. */
async function withUsers(...userNames: readonly string[]): Promise<ScimClient> {
  const scim = await app.connect();
  for (const userName of userNames) {
    await scim.post('/Users', user({ userName }));
  }
  return scim;
}

function userNames(body: { readonly Resources: readonly { readonly userName?: string }[] }) {
  return body.Resources.map(({ userName }) => userName);
}

describe('RFC 7644 §3.4.2 querying resources', () => {
  it('[RFC7644-3.4.2-1] ignores query parameters that it does not know', async () => {
    const scim = await withUsers('a', 'b');
    const { status, body } = await scim.query('/Users', { flavour: 'sweet', filters: 'userName eq "a"' });
    expect([status, userNames(body)]).toEqual([200, ['a', 'b']]);
  });

  it('[RFC7644-3.4.2-2] answers with a ListResponse, by GET and by POST', async () => {
    const scim = await withUsers('a');
    const got = await scim.get('/Users');
    const posted = await scim.post('/.search', { schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'] });
    expect([got.body.schemas, posted.body.schemas]).toEqual([[LIST_URN], [LIST_URN]]);
  });

  it('[RFC7644-3.4.2-3][RFC7644-3.4.2-4][RFC7644-3.4.2-5][RFC7644-3.4.2-6] states total, start and size of a page', async () => {
    const scim = await withUsers('a', 'b', 'c', 'd', 'e');
    const { body } = await scim.query('/Users', { startIndex: 4, count: 3 });
    expect([body.totalResults, body.startIndex, body.itemsPerPage, userNames(body)]).toEqual([5, 4, 2, ['d', 'e']]);
  });

  it('[RFC7644-3.4.2-7] answers 200 with a total of 0 when nothing matches', async () => {
    const scim = await withUsers('a');
    const { status, body } = await scim.query('/Users', { filter: 'userName eq "nobody"' });
    expect([status, body.totalResults, body.Resources]).toEqual([200, 0, []]);
  });
});

describe('RFC 7644 §3.4.2.1 query endpoints', () => {
  async function withBoth(): Promise<ScimClient> {
    const scim = await withUsers('ann');
    await scim.post('/Groups', group({ displayName: 'Ants' }));
    return scim;
  }

  const types = (body: { readonly Resources: readonly { readonly meta: { readonly resourceType: string } }[] }) =>
    body.Resources.map(({ meta }) => meta.resourceType).sort();

  it('[RFC7644-3.4.2.1-1] returns users and groups from the root', async () => {
    const scim = await withBoth();
    const { body } = await scim.get('/');
    expect([body.totalResults, types(body)]).toEqual([2, ['Group', 'User']]);
  });

  it.each([
    ['meta.resourceType eq "User"', ['User']],
    ['(meta.resourceType eq "User") or (meta.resourceType eq "Group")', ['Group', 'User']],
    ['userName eq "ann" or displayName eq "ants"', ['Group', 'User']],
    ['not (displayName eq "ants")', ['User']],
  ])('[RFC7644-3.4.2.1-3] filters resources of both types by %s', async (filter, expected) => {
    const scim = await withBoth();
    const { body } = await scim.query('/', { filter });
    expect(types(body)).toEqual(expected);
  });

  it('[RFC7644-3.4.2.1-3] rejects a malformed filter at the root', async () => {
    const scim = await withBoth();
    expect(rejection(await scim.query('/', { filter: 'userName eq' }))).toBe('400 invalidFilter');
  });

  it.each([
    ['userName pr', ['User']],
    ['not (userName pr)', ['Group']],
    ['members pr', []],
    ['userName ne "ann"', ['Group']],
  ])('[RFC7644-3.4.2.1-4] counts attributes of the other type as without value in %s', async (filter, expected) => {
    const scim = await withBoth();
    const { body } = await scim.query('/', { filter });
    expect(types(body)).toEqual(expected);
  });
});

describe('RFC 7644 §3.4.2.4 index pagination', () => {
  it.each([[0], [-5]])('[RFC7644-3.4.2.4-1] takes a startIndex of %d for 1', async (startIndex) => {
    const scim = await withUsers('a', 'b');
    const { body } = await scim.query('/Users', { startIndex, count: 1 });
    expect([body.startIndex, userNames(body)]).toEqual([1, ['a']]);
  });

  it('[RFC7644-3.4.2.4-2] returns at most count results, and every result on one page only', async () => {
    const scim = await withUsers('a', 'b', 'c', 'd', 'e');
    const pages = [];
    for (const startIndex of [1, 3, 5]) {
      pages.push(userNames((await scim.query('/Users', { startIndex, count: 2 })).body));
    }
    expect(pages).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
  });

  it.each([[-1], [0]])('[RFC7644-3.4.2.4-3] returns the total only for a count of %d', async (count) => {
    const scim = await withUsers('a', 'b');
    const { status, body } = await scim.query('/Users', { count });
    expect([status, body.totalResults, body.Resources ?? []]).toEqual([200, 2, []]);
  });

  it('[RFC7644-3.4.2.4] returns an empty page behind the last result', async () => {
    const scim = await withUsers('a');
    const { body } = await scim.query('/Users', { startIndex: 2 });
    expect([body.totalResults, body.Resources]).toEqual([1, []]);
  });
});
