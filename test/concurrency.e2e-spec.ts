import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { ScimApp } from './support/scim-app.js';
import { group, patchOp, pathOf, user, type PatchOperation } from './support/scim-bodies.js';
import type { ScimClient } from './support/scim-client.js';
import { describeOnEveryStore } from './support/stores.js';

const PARALLEL = Array.from({ length: 20 }, (_, index) => index);

function statuses(responses: readonly Response[]): number[] {
  return [...new Set(responses.map(({ status }) => status))].toSorted();
}

describeOnEveryStore('parallel requests', (openStore) => {
  let app: ScimApp;

  beforeAll(async () => {
    app = await ScimApp.start(await openStore());
  });

  afterAll(() => app.close());

  function inParallel(send: (index: number) => PromiseLike<Response>): Promise<Response[]> {
    return Promise.all(PARALLEL.map(send));
  }

  async function createUsers(client: ScimClient): Promise<{ id: string }[]> {
    const answers = await inParallel((n) => client.post('/Users', user({ userName: `user${n}`, externalId: `u${n}` })));
    return answers.map(({ body }) => body);
  }

  it('keeps all of 20 parallel additions to one group', async () => {
    const client = await app.connect();
    const users = await createUsers(client);
    const { body: created } = await client.post('/Groups', group({ displayName: 'G' }));
    const answers = await inParallel((n) =>
      client.patch(pathOf(created), patchOp({ op: 'add', path: 'members', value: [{ value: String(users[n]?.id) }] })),
    );
    expect(statuses(answers)).toEqual([200]);
    const { body: after } = await client.get(pathOf(created));
    expect(after.members.map(({ value }: { value: string }) => value).toSorted()).toEqual(
      users.map(({ id }) => id).toSorted(),
    );
  });

  it('keeps additions and removals that run at the same time', async () => {
    const client = await app.connect();
    const users = await createUsers(client);
    const before = users.slice(0, 10).map(({ id }) => id);
    const { body: created } = await client.post('/Groups', group({ displayName: 'G' }, before));
    const answers = await inParallel((n) => {
      const value = String(users[n]?.id);
      const operation: PatchOperation =
        n < 10
          ? { op: 'remove', path: `members[value eq "${value}"]` }
          : { op: 'add', path: 'members', value: [{ value }] };
      return client.patch(pathOf(created), patchOp(operation));
    });
    expect(statuses(answers)).toEqual([200]);
    const { body: after } = await client.get(pathOf(created));
    expect(after.members.map(({ value }: { value: string }) => value).toSorted()).toEqual(
      users
        .slice(10)
        .map(({ id }) => id)
        .toSorted(),
    );
  });

  it('makes one object of 20 parallel equal creates', async () => {
    const client = await app.connect();
    const answers = await inParallel(() => client.post('/Users', user({ userName: 'ada', externalId: 'a1' })));
    expect(statuses(answers)).toEqual([201]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    const { body: list } = await client.get('/Users');
    expect(list.totalResults).toBe(1);
  });

  it('makes one object of 20 parallel creates of one userName', async () => {
    const client = await app.connect();
    const answers = await inParallel((n) => client.post('/Users', user({ userName: n % 2 === 0 ? 'Ada' : 'ADA' })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(statuses(answers)).toEqual([201, 409]);
  });

  it('keeps all of 20 parallel patches of different attributes of one user', async () => {
    const client = await app.connect();
    const { body: created } = await client.post('/Users', user({ userName: 'ada' }));
    const answers = await inParallel((n) =>
      client.patch(pathOf(created), patchOp({ op: 'add', path: 'emails', value: [{ value: `${n}@example.com` }] })),
    );
    expect(statuses(answers)).toEqual([200]);
    const { body: after } = await client.get(pathOf(created));
    expect(after.emails).toHaveLength(20);
    expect(after.meta.version).toBe('W/"21"');
  });

  it('lets one of 20 parallel changes with the same If-Match through', async () => {
    const client = await app.connect();
    const { body: created } = await client.post('/Users', user({ userName: 'ada' }));
    const answers = await inParallel((n) =>
      client
        .patch(pathOf(created), patchOp({ op: 'replace', path: 'title', value: `title ${n}` }))
        .set('If-Match', created.meta.version),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(statuses(answers)).toEqual([200, 412]);
  });

  it('answers 20 parallel deletes with one 204, and 404', async () => {
    const client = await app.connect();
    const { body: created } = await client.post('/Users', user({ userName: 'ada' }));
    const answers = await inParallel(() => client.delete(pathOf(created)));
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
    expect(statuses(answers)).toEqual([204, 404]);
  });

  it('leaves no member behind when users are added and deleted at the same time', async () => {
    const client = await app.connect();
    const users = await createUsers(client);
    const { body: created } = await client.post('/Groups', group({ displayName: 'G' }));
    await Promise.all(
      users.flatMap((each) => [
        client.patch(pathOf(created), patchOp({ op: 'add', path: 'members', value: [{ value: each.id }] })),
        client.delete(pathOf(each)),
      ]),
    );
    const { body: after } = await client.get(pathOf(created));
    expect(after).not.toHaveProperty('members');
  });
});
