import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ScimApp } from '../support/scim-app.js';
import type { ScimClient } from '../support/scim-client.js';
import { searchRequest, user } from '../support/scim-bodies.js';
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

function userNames(body: { readonly Resources: readonly { readonly userName: string }[] }): string {
  return body.Resources.map(({ userName }) => userName).join(' ');
}

/** The pages of a query from the first to the last; fails when there are more than ten. */
async function readPages(scim: ScimClient, query: Record<string, string | number>): Promise<string[]> {
  const pages = [];
  let cursor: string | undefined = '';
  while (cursor !== undefined && pages.length < 10) {
    const { body } = await scim.query('/Users', { ...query, cursor });
    pages.push(userNames(body));
    cursor = body.nextCursor;
  }
  return pages;
}

describe('RFC 9865 §2 cursor pagination', () => {
  it.each([[-1], [0]])('[RFC9865-2-1] returns the total only for a count of %d', async (count) => {
    const scim = await withUsers('a', 'b');
    const { status, body } = await scim.query('/Users', { cursor: '', count });
    expect([status, body.totalResults, body.Resources ?? []]).toEqual([200, 2, []]);
  });

  it('[RFC9865-2-2][RFC9865-2-3][RFC9865-2-4] returns every result once, at most count per page', async () => {
    const scim = await withUsers('a', 'b', 'c', 'd', 'e');
    expect(await readPages(scim, { count: 2 })).toEqual(['a b', 'c d', 'e']);
  });

  it('[RFC9865-2-3][RFC9865-2-4] gives no cursor with a last page that is full', async () => {
    const scim = await withUsers('a', 'b', 'c', 'd');
    expect(await readPages(scim, { count: 2 })).toEqual(['a b', 'c d']);
  });

  it('[RFC9865-2-4] gives no cursor when everything fits on the first page', async () => {
    const scim = await withUsers('a');
    const { body } = await scim.query('/Users', { cursor: '', count: 1 });
    expect([userNames(body), 'nextCursor' in body]).toEqual(['a', false]);
  });

  it('[RFC9865-2-5] gives no previousCursor with the first page', async () => {
    const scim = await withUsers('a', 'b');
    const { body } = await scim.query('/Users', { cursor: '', count: 1 });
    expect(['previousCursor' in body, 'nextCursor' in body, body.totalResults, body.itemsPerPage]).toEqual([
      false,
      true,
      2,
      1,
    ]);
  });

  it('[RFC9865-2] gives cursors of unreserved characters', async () => {
    const scim = await withUsers('ä?&', 'b');
    const { body } = await scim.query('/Users', { cursor: '', count: 1, sortBy: 'userName', sortOrder: 'descending' });
    expect(body.nextCursor).toMatch(/^[A-Za-z0-9\-._~]+$/);
  });

  it('[RFC9865-2.2] pages through sorted and filtered results', async () => {
    const scim = await withUsers('d', 'b', 'x', 'a', 'c');
    const query = { sortBy: 'userName', sortOrder: 'descending', filter: 'userName ne "x"', count: 3 };
    expect(await readPages(scim, query)).toEqual(['d c b', 'a']);
  });

  it('[RFC9865-2] neither repeats nor skips what was there from the start while users come and go', async () => {
    const scim = await withUsers('a', 'b', 'c', 'd');
    const { body: first } = await scim.query('/Users', { cursor: '', count: 2 });
    await scim.delete(`/Users/${encodeURIComponent(first.Resources[0].id)}`);
    await scim.post('/Users', user({ userName: 'e' }));
    const { body: second } = await scim.query('/Users', { cursor: first.nextCursor, count: 2 });
    expect([userNames(first), userNames(second)]).toEqual(['a b', 'c d']);
  });

  it('[RFC9865-3] pages through a search by POST', async () => {
    const scim = await withUsers('a', 'b', 'c');
    const { body: first } = await scim.post('/Users/.search', searchRequest({ cursor: '', count: 2 }));
    const { body: second } = await scim.post('/Users/.search', searchRequest({ cursor: first.nextCursor, count: 2 }));
    expect([userNames(first), userNames(second), 'nextCursor' in second]).toEqual(['a b', 'c', false]);
  });

  it.each([['junk'], ['%00'], ['AAAA'.repeat(2000)], ['bm90IGpzb24']])(
    '[RFC9865-2.1-1] answers 400 invalidCursor to %s',
    async (cursor) => {
      const scim = await withUsers('a', 'b');
      expect(rejection(await scim.query('/Users', { cursor, count: 1 }))).toBe('400 invalidCursor');
    },
  );

  it('[RFC9865-2.1-1] answers 400 invalidCursor to a cursor of another query', async () => {
    const scim = await withUsers('a', 'b');
    const { body } = await scim.query('/Users', { cursor: '', count: 1, filter: 'userName pr' });
    expect(rejection(await scim.query('/Users', { cursor: body.nextCursor, count: 1 }))).toBe('400 invalidCursor');
  });

  it.each([['ten'], ['1.5'], ['']])('[RFC9865-2.1-1] answers 400 invalidCount to a count of %j', async (count) => {
    const scim = await withUsers('a');
    expect(rejection(await scim.query('/Users', { cursor: '', count }))).toBe('400 invalidCount');
  });

  it('[RFC9865-2.4-1] pages by index, as it advertises, when the request names no method', async () => {
    const scim = await withUsers('a', 'b');
    const { body } = await scim.query('/Users', { count: 1 });
    const { body: config } = await scim.get('/ServiceProviderConfig');
    expect([body.startIndex, 'nextCursor' in body, config.pagination.defaultPaginationMethod]).toEqual([
      1,
      false,
      'index',
    ]);
  });

  it('[RFC9865-4-1][RFC9865-4-2][RFC9865-4-3] advertises both methods and its page sizes', async () => {
    const scim = await app.connect();
    const { body } = await scim.get('/ServiceProviderConfig');
    expect(body.pagination).toMatchObject({ cursor: true, index: true, defaultPageSize: 100, maxPageSize: 1000 });
  });
});

describe('RFC 9865 §5.2 confidentiality of cursors', () => {
  it("[RFC9865-5.2-1] shows a provider none of another's results for its cursor", async () => {
    const [scim, other] = [await withUsers('a', 'b'), await withUsers('x')];
    const { body } = await scim.query('/Users', { cursor: '', count: 1 });
    const answer = await other.query('/Users', { cursor: body.nextCursor, count: 1 });
    expect(answer.text).not.toMatch(/"[ab]"/);
  });

  it.each([
    ['no token', ''],
    ['a wrong token', 'wrong'],
  ])('[RFC9865-5.2-2] demands authentication for every page: %s', async (_kind, token) => {
    const scim = await withUsers('a', 'b');
    const { body } = await scim.query('/Users', { cursor: '', count: 1 });
    const answer = await scim.withToken(token).query('/Users', { cursor: body.nextCursor, count: 1 });
    expect(rejection(answer)).toBe('401');
  });

  it("[RFC9865-5.2-4] answers a forged cursor and one of another provider's query alike", async () => {
    const [scim, other] = [await withUsers('a', 'b'), await withUsers('x', 'y')];
    const { body } = await other.query('/Users', { cursor: '', count: 1, filter: 'userName pr' });
    const forged = await scim.query('/Users', { cursor: 'forged', count: 1 });
    const foreign = await scim.query('/Users', { cursor: body.nextCursor, count: 1 });
    expect([rejection(forged), rejection(foreign)]).toEqual(['400 invalidCursor', '400 invalidCursor']);
    expect(foreign.text).toBe(forged.text);
  });
});
