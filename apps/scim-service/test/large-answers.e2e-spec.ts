import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MAX_FEW_MEMBERS } from '@palisade/domain';
import { AdminApp } from './support/admin-app.js';

const GROUP_URN = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const MEMBERS = 3 * MAX_FEW_MEMBERS + 7;
const userId = (index: number): string => `user:scim:acme:u${String(index).padStart(5, '0')}`;
const IDS = Array.from({ length: MEMBERS }, (_, index) => userId(index));

describe('a group with many members', () => {
  let app: AdminApp;
  let token: string;
  beforeAll(async () => {
    app = await AdminApp.start();
    token = await app.createProvider('acme', { unknown_members: 'accept' });
    await app
      .scim('post', '/Groups', token)
      .send({ schemas: [GROUP_URN], externalId: 'all', displayName: 'All', members: IDS.map((value) => ({ value })) })
      .expect(201);
  });
  afterAll(() => app.close());

  const valuesOf = (members: readonly { readonly value: string }[]): string[] => members.map(({ value }) => value);

  it('is answered whole, in pieces', async () => {
    const { body, headers } = await app.scim('get', '/Groups/all', token).expect(200);
    expect(valuesOf(body.members)).toEqual(IDS);
    expect(body.members[0]).toEqual({ value: IDS[0], $ref: expect.stringMatching(/Users\//), type: 'User' });
    expect([headers['transfer-encoding'], headers['content-type'], headers['etag']]).toEqual([
      'chunked',
      'application/scim+json',
      body.meta.version,
    ]);
  });

  it('is answered with what was asked for of its members', async () => {
    const { body } = await app.scim('get', '/Groups/all?attributes=members.value', token).expect(200);
    expect(body.members).toEqual(IDS.map((value) => ({ value })));
    const without = await app.scim('get', '/Groups/all?excludedAttributes=members', token).expect(200);
    expect([without.body.members, without.headers['transfer-encoding']]).toEqual([undefined, undefined]);
  });

  it('stands whole in lists, and in the answer to a change', async () => {
    const { body: list } = await app.scim('get', '/Groups?filter=displayName eq "All"', token).expect(200);
    expect(valuesOf(list.Resources[0].members)).toEqual(IDS);
    const { body: found } = await app
      .scim('post', '/.search', token)
      .send({ schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'], filter: 'displayName eq "All"' })
      .expect(200);
    expect(valuesOf(found.Resources[0].members)).toEqual(IDS);
    const { body: changed } = await app
      .scim('put', '/Groups/all', token)
      .send({ schemas: [GROUP_URN], displayName: 'Everybody' })
      .expect(200);
    expect(valuesOf(changed.members)).toEqual(IDS);
  });

  it('has no body in the answer to HEAD, and none that was not modified', async () => {
    const { headers } = await app.scim('get', '/Groups/all?excludedAttributes=members', token).expect(200);
    await app.scim('get', '/Groups/all', token).set('If-None-Match', String(headers['etag'])).expect(304);
    const [host, port] = new URL(await app.origin()).host.split(':');
    const socket = connect(Number(port), host);
    const text = await exchange(socket, `HEAD /scim/v2/Groups/all HTTP/1.1`, token);
    expect([text.startsWith('HTTP/1.1 200'), text.endsWith('\r\n\r\n')]).toEqual([true, true]);
  });

  it('lets clients that read nothing hold up their own provider only', async () => {
    const other = await app.createProvider('bolt');
    const [host, port] = new URL(await app.origin()).host.split(':');
    const idle = Array.from({ length: 20 }, () => connect(Number(port), host).pause());
    try {
      idle.forEach((socket) => socket.write(request('GET /scim/v2/Groups/all HTTP/1.1', token)));
      await app.scim('get', '/Groups', other).expect(200);
      await app.scim('get', '/Users?count=1000', other).expect(200);
    } finally {
      idle.forEach((socket) => socket.destroy());
    }
    await app.scim('get', '/Groups/all', token).expect(200);
  });
});

describe('a body of more values than it may have', () => {
  let app: AdminApp;
  beforeAll(async () => {
    app = await AdminApp.start();
  });
  afterAll(() => app.close());

  it.each([
    ['/Users', 100_000],
    ['/Bulk', 400_000],
  ])('is rejected at %s before anything is made of it', async (path, most) => {
    const { body } = await app
      .scim('post', path)
      .send(`[${'[],'.repeat(most / 2)}[]]`)
      .expect(413);
    expect(body).toMatchObject({
      status: '413',
      detail: `body: expected at most ${most} values in lists and objects`,
    });
  });
});

function request(line: string, token: string): string {
  return `${line}\r\nHost: scim.example\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n\r\n`;
}

async function exchange(socket: Socket, line: string, token: string): Promise<string> {
  socket.write(request(line, token));
  let text = '';
  for await (const chunk of socket) {
    text += String(chunk);
  }
  return text;
}
