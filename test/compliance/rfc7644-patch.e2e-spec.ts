import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@palisade/domain';
import { ScimApp } from '../support/scim-app.js';
import { ENTERPRISE_URN, USER_URN, group, patchOp, pathOf, user, type PatchOperation } from '../support/scim-bodies.js';
import { rejection } from './rejection.js';

const PATCH_URN = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const ADD_TITLE = { op: 'add', path: 'title', value: 'VP' };

let app: ScimApp;
beforeAll(async () => {
  app = await ScimApp.start();
});
afterAll(() => app.close());

describe('RFC 7644 §3.5.2 the PATCH request', () => {
  it('[RFC7644-3.5-2] changes users and groups partially', async () => {
    const scim = await app.connect();
    const { body: alice } = await scim.post('/Users', user({ userName: 'a', nickName: 'Al' }));
    const { body: team } = await scim.post('/Groups', group({ displayName: 'A' }));
    const users = await scim.patch(pathOf(alice), patchOp(ADD_TITLE));
    const groups = await scim.patch(pathOf(team), patchOp({ op: 'replace', path: 'displayName', value: 'B' }));
    expect([users.body.title, users.body.nickName, groups.body.displayName]).toEqual(['VP', 'Al', 'B']);
  });

  it.each([[{}], [{ schemas: [] }], [{ schemas: [USER_URN] }]])(
    '[RFC7644-3.5.2-1] rejects a body with %j instead of the schema of PatchOp',
    async (schemas) => {
      const scim = await app.connect();
      const { body } = await scim.post('/Users', user({ userName: 'a' }));
      expect(rejection(await scim.patch(pathOf(body), { ...schemas, Operations: [ADD_TITLE] }))).toBe(
        '400 invalidSyntax',
      );
    },
  );

  it.each([[{}], [{ Operations: [] }], [{ Operations: ADD_TITLE }], [{ Operations: 'none' }], [{ Operations: [7] }]])(
    '[RFC7644-3.5.2-2] rejects %j, which has no operation',
    async (operations) => {
      const scim = await app.connect();
      const { body } = await scim.post('/Users', user({ userName: 'a' }));
      const patched = await scim.patch(pathOf(body), { schemas: [PATCH_URN], ...operations });
      expect(rejection(patched)).toMatch(/^400 invalid(Syntax|Value)$/);
    },
  );

  it.each([
    [{ path: 'title', value: 'VP' }],
    [{ op: 'move', path: 'title', value: 'VP' }],
    [{ op: ['add'], path: 'title', value: 'VP' }],
    [{ op: null, path: 'title', value: 'VP' }],
  ])('[RFC7644-3.5.2-3] rejects the operation %j', async (operation) => {
    const scim = await app.connect();
    const { body } = await scim.post('/Users', user({ userName: 'a' }));
    const patched = await scim.patch(pathOf(body), { schemas: [PATCH_URN], Operations: [operation] });
    expect(rejection(patched)).toMatch(/^400 invalid(Syntax|Value)$/);
  });

  it('[RFC7644-3.5.2-4] answers 400 noTarget to a remove without a path', async () => {
    const scim = await app.connect();
    const { body } = await scim.post('/Users', user({ userName: 'a' }));
    expect(rejection(await scim.patch(pathOf(body), patchOp({ op: 'remove' })))).toBe('400 noTarget');
  });

  it.each<[PatchOperation, string]>([
    [{ op: 'replace', path: 'id', value: 'x' }, '400 mutability'],
    [{ op: 'add', path: 'groups', value: [{ value: 'x' }] }, '400 mutability'],
    [{ op: 'replace', path: 'active', value: 'perhaps' }, '400 invalidValue'],
    [{ op: 'replace', path: 'title', value: { text: 'VP' } }, '400 invalidValue'],
    [{ op: 'add', path: 'emails', value: [{ value: 7 }] }, '400 invalidValue'],
    [{ op: 'replace', path: 'shoeSize', value: 42 }, '400 invalidPath'],
    [{ op: 'replace', path: 'name..givenName', value: 'x' }, '400 invalidPath'],
  ])('[RFC7644-3.5.2-5][RFC7644-3.5.2-6] rejects %j with %s and names the attribute', async (operation, expected) => {
    const scim = await app.connect();
    const { body } = await scim.post('/Users', user({ userName: 'a' }));
    const patched = await scim.patch(pathOf(body), patchOp(operation));
    const [attribute] = /^\w+/.exec(String(operation.path)) ?? [];
    expect([rejection(patched), patched.body.detail]).toEqual([expected, expect.stringContaining(String(attribute))]);
  });

  it('[RFC7644-3.5.2-7] resolves plain names in the schema of the resource', async () => {
    const scim = await app.connect();
    const { body } = await scim.post('/Users', user({ userName: 'a' }));
    const { body: after } = await scim.patch(
      pathOf(body),
      patchOp({ op: 'add', path: `${USER_URN}:title`, value: 'VP' }),
    );
    const { body: again } = await scim.patch(pathOf(body), patchOp({ op: 'replace', path: 'title', value: 'CEO' }));
    expect([after.title, again.title]).toEqual(['VP', 'CEO']);
  });

  it('[RFC7644-3.5.2-8] adds the schema of an extension with its first attribute, for later operations too', async () => {
    const scim = await app.connect();
    const { body } = await scim.post('/Users', user({ userName: 'a' }));
    const { body: after } = await scim.patch(
      pathOf(body),
      patchOp(
        { op: 'add', path: `${ENTERPRISE_URN}:department`, value: 'Sales' },
        { op: 'replace', path: `${ENTERPRISE_URN}:department`, value: 'Support' },
      ),
    );
    expect([body.schemas, after.schemas, after[ENTERPRISE_URN]]).toEqual([
      [USER_URN],
      [USER_URN, ENTERPRISE_URN],
      { department: 'Support' },
    ]);
  });

  it.each<[string, PatchOperation]>([
    ['add', { op: 'add', path: 'emails', value: [{ value: 'c@x', primary: true }] }],
    ['replace of a sub-attribute', { op: 'replace', path: 'emails[value eq "b@x"].primary', value: true }],
    [
      'replace of an element',
      { op: 'replace', path: 'emails[value eq "b@x"]', value: { value: 'c@x', primary: true } },
    ],
  ])('[RFC7644-3.5.2-9] leaves one primary value after an %s', async (_kind, operation) => {
    const scim = await app.connect();
    const emails: JsonObject[] = [{ value: 'a@x', primary: true }, { value: 'b@x' }];
    const { body } = await scim.post('/Users', user({ userName: 'a', emails }));
    const { body: after } = await scim.patch(pathOf(body), patchOp(operation));
    const primary = after.emails.filter((email: { primary?: boolean }) => email.primary === true);
    expect(primary.map(({ value }: { value: string }) => value)).toEqual([expect.not.stringContaining('a@x')]);
  });

  it('[RFC7644-3.5.2-10][RFC7644-3.5.2-11][RFC7644-3.5.2-12] undoes all operations when the last one fails', async () => {
    const scim = await app.connect();
    const { body: alice } = await scim.post('/Users', user({ userName: 'alice' }));
    const { body: team } = await scim.post('/Groups', group({ displayName: 'A' }));
    const patched = await scim.patch(
      pathOf(team),
      patchOp(
        { op: 'replace', path: 'displayName', value: 'B' },
        { op: 'add', path: 'members', value: [{ value: alice.id }] },
        { op: 'replace', path: 'id', value: 'other' },
      ),
    );
    const { body: after } = await scim.get(pathOf(team));
    expect([rejection(patched), after]).toEqual(['400 mutability', team]);
  });

  it('[RFC7644-3.5.2-11] undoes all operations when the store rejects the change', async () => {
    const scim = await app.connect();
    await scim.post('/Users', user({ userName: 'taken' }));
    const { body } = await scim.post('/Users', user({ userName: 'a' }));
    const patched = await scim.patch(
      pathOf(body),
      patchOp(ADD_TITLE, { op: 'replace', path: 'userName', value: 'taken' }),
    );
    const { body: after } = await scim.get(pathOf(body));
    expect([rejection(patched), after]).toEqual(['409 uniqueness', body]);
  });

  it('[RFC7644-3.5.2-13] answers a failure with an Error resource that explains it', async () => {
    const scim = await app.connect();
    const { body } = await scim.post('/Users', user({ userName: 'a' }));
    const { headers, body: error } = await scim.patch(pathOf(body), patchOp({ op: 'remove', path: 'userName' }));
    expect(headers['content-type']).toBe('application/scim+json');
    expect(error).toEqual({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      status: '400',
      scimType: 'mutability',
      detail: expect.stringContaining('userName'),
    });
  });

  it('[RFC7644-3.5.2-14] answers 200 with the whole resource', async () => {
    const scim = await app.connect();
    const { body } = await scim.post('/Users', user({ userName: 'a' }));
    const patched = await scim.patch(pathOf(body), patchOp(ADD_TITLE));
    expect([patched.status, patched.body]).toEqual([200, (await scim.get(pathOf(body))).body]);
  });

  it('[RFC7644-3.5.2-14] answers 204 with the new entity tag when the client wants no body', async () => {
    const scim = await app.connect();
    const { body } = await scim.post('/Users', user({ userName: 'a' }));
    const patched = await scim.patch(pathOf(body), patchOp(ADD_TITLE)).set('Prefer', 'return=minimal');
    const { body: after } = await scim.get(pathOf(body));
    expect([patched.status, patched.text, patched.headers.etag, after.title]).toEqual([
      204,
      '',
      after.meta.version,
      'VP',
    ]);
  });

  it.each([['/Users'], ['/Groups']])(
    '[RFC7644-3.5.2-15] answers 200 to a PATCH below %s with attributes, in every dialect',
    async (endpoint) => {
      for (const dialect of ['rfc', 'entra', 'okta'] as const) {
        const scim = await app.connect({ dialect });
        const sent = endpoint === '/Users' ? user({ userName: 'a' }) : group({ displayName: 'A' });
        const { body } = await scim.post(endpoint, sent);
        const patch = patchOp({ op: 'replace', path: 'externalId', value: 'e-1' });
        const patched = await scim.patch(`${pathOf(body)}?attributes=externalId`, patch);
        expect([dialect, patched.status, patched.body.externalId]).toEqual([dialect, 200, 'e-1']);
      }
    },
  );
});
