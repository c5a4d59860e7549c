import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ScimApp } from '../support/scim-app.js';
import { USER_URN, patchOp, pathOf, user } from '../support/scim-bodies.js';
import { DEVICE_EXTENSION, DEVICE_URN } from './device-extension.js';

let app: ScimApp;
beforeAll(async () => {
  app = await ScimApp.start();
});
afterAll(() => app.close());

describe('RFC 7644 §3.4.2.5 and §3.9 returned attributes', () => {
  const JENSEN = user({
    userName: 'bjensen',
    title: 'VP',
    name: { familyName: 'Jensen', givenName: 'Barbara' },
    emails: [{ value: 'b@example.com', type: 'work' }],
  });

  it('[RFC7644-3.4.2.5-1][RFC7644-3.4.2.5-2][RFC7644-3.9-1][RFC7644-3.9-2] returns the attributes asked for and no others', async () => {
    const scim = await app.connect();
    const { body } = await scim.post('/Users', JENSEN);
    const one = await scim.query(pathOf(body), { attributes: 'userName, name.givenName,emails.type' });
    const list = await scim.query('/Users', { attributes: 'userName' });
    expect(one.body).toEqual({
      schemas: [USER_URN],
      id: body.id,
      userName: 'bjensen',
      name: { givenName: 'Barbara' },
      emails: [{ type: 'work' }],
    });
    expect(list.body.Resources).toEqual([{ schemas: [USER_URN], id: body.id, userName: 'bjensen' }]);
  });

  it('[RFC7644-3.4.2.5-1][RFC7644-3.4.2.5-2] leaves out excluded attributes and keeps the others', async () => {
    const scim = await app.connect();
    const { body } = await scim.post('/Users', JENSEN);
    const { body: read } = await scim.query(pathOf(body), { excludedAttributes: 'title,name.givenName,meta' });
    const { title: _title, meta: _meta, ...rest } = body;
    expect(read).toEqual({ ...rest, name: { familyName: 'Jensen' } });
  });

  it('[RFC7644-3.4.2.5-4][RFC7644-3.9-3] returns what is always returned, even when it is excluded', async () => {
    const scim = await app.connect();
    const { body } = await scim.post('/Users', JENSEN);
    const { body: read } = await scim.query(pathOf(body), { excludedAttributes: 'id,schemas,userName' });
    expect([read.id, read.schemas, read.userName, read.title]).toEqual([body.id, [USER_URN], undefined, 'VP']);
  });

  it.each([
    ['attributes', 'userName'],
    ['excludedAttributes', `${DEVICE_URN}:model,${DEVICE_URN}`],
  ])(
    '[RFC7644-3.4.2.5-4][RFC7644-3.9-2][RFC7644-3.9-3] keeps an always returned attribute with %s=%s',
    async (parameter, names) => {
      const scim = await app.connect({ extensions: [DEVICE_EXTENSION] });
      const device = { model: 'M1', serial: 'X1' };
      await scim.post('/Users', { schemas: [USER_URN, DEVICE_URN], userName: 'a', [DEVICE_URN]: device });
      const { body } = await scim.query('/Users', { [parameter]: names });
      expect(body.Resources[0][DEVICE_URN]).toEqual({ model: 'M1' });
    },
  );

  it.each([['attributes'], ['excludedAttributes']])(
    '[RFC7644-3.4.2.5-3][RFC7644-3.4.2.5-5] understands URN-qualified names in any case in %s',
    async (parameter) => {
      const scim = await app.connect();
      const { body } = await scim.post('/Users', JENSEN);
      const { body: read } = await scim.query(pathOf(body), {
        [parameter]: `${USER_URN.toUpperCase()}:NAME.givenname`,
      });
      const isAsked = parameter === 'attributes';
      expect([read.name, read.title]).toEqual(
        isAsked ? [{ givenName: 'Barbara' }, undefined] : [{ familyName: 'Jensen' }, 'VP'],
      );
    },
  );

  it('[RFC7644-3.9-1] applies attributes to the answers of POST, PUT and PATCH', async () => {
    const scim = await app.connect();
    const created = await scim.post('/Users?attributes=title', JENSEN);
    const path = `${pathOf(created.body)}?attributes=title`;
    const replaced = await scim.put(path, JENSEN);
    const patched = await scim.patch(path, patchOp({ op: 'replace', path: 'title', value: 'CEO' }));
    const { id } = created.body;
    expect([created.body, replaced.body, patched.body]).toEqual([
      { schemas: [USER_URN], id, title: 'VP' },
      { schemas: [USER_URN], id, title: 'VP' },
      { schemas: [USER_URN], id, title: 'CEO' },
    ]);
  });
});
