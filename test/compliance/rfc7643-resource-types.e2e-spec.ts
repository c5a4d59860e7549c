import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ScimApp } from '../support/scim-app.js';
import { ENTERPRISE_URN, GROUP_URN, USER_URN, group, patchOp, pathOf, user } from '../support/scim-bodies.js';
import { DEVICE_EXTENSION, DEVICE_URN, attribute } from './device-extension.js';
import { rejection } from './rejection.js';

interface ResourceType {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly endpoint: string;
  readonly schema: string;
  readonly schemaExtensions?: readonly { readonly schema: string; readonly required: boolean }[];
}

const REQUIRED_EXTENSION = {
  ...DEVICE_EXTENSION,
  required: true,
  schema: { ...DEVICE_EXTENSION.schema, attributes: [attribute('serial', { required: true }), attribute('note', {})] },
};

let app: ScimApp;
beforeAll(async () => {
  app = await ScimApp.start();
});
afterAll(() => app.close());

async function readTypes(): Promise<readonly ResourceType[]> {
  const { body } = await (await app.connect()).get('/ResourceTypes');
  return body.Resources;
}

describe('RFC 7643 §6 resource types', () => {
  it('[RFC7643-6-1][RFC7643-6-5][RFC7643-6-7] states name, endpoint and base schema of both types', async () => {
    const types = await readTypes();
    expect(types.map(({ name, endpoint, schema }) => ({ name, endpoint, schema }))).toEqual([
      { name: 'User', endpoint: '/Users', schema: USER_URN },
      { name: 'Group', endpoint: '/Groups', schema: GROUP_URN },
    ]);
  });

  it('[RFC7643-6-2][RFC7643-6-3] names types as meta.resourceType of their resources does', async () => {
    const scim = await app.connect();
    const { body: alice } = await scim.post('/Users', user({ userName: 'a' }));
    const { body: team } = await scim.post('/Groups', group({ displayName: 'A' }));
    const names = (await readTypes()).map(({ name }) => name);
    expect(names).toEqual([alice.meta.resourceType, team.meta.resourceType]);
  });

  it('[RFC7643-6-4] describes every type', async () => {
    const descriptions = (await readTypes()).map(({ description }) => description);
    expect(descriptions).toEqual([expect.stringMatching(/\w/), expect.stringMatching(/\w/)]);
  });

  it('[RFC7643-6-5] serves each type at the endpoint it states', async () => {
    const scim = await app.connect();
    const answers = await Promise.all((await readTypes()).map(({ endpoint }) => scim.get(endpoint)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  });

  it('[RFC7643-6-6][RFC7643-6-8] publishes the schemas and extensions that types name', async () => {
    const scim = await app.connect();
    const urns = (await readTypes()).flatMap(({ schema, schemaExtensions = [] }) => [
      schema,
      ...schemaExtensions.map((extension) => extension.schema),
    ]);
    const schemas = await Promise.all(urns.map((urn) => scim.get(`/Schemas/${urn}`)));
    expect(schemas.map(({ body }) => body.id)).toEqual([USER_URN, ENTERPRISE_URN, GROUP_URN]);
  });

  it('[RFC7643-6-9][RFC7643-6-11] says of each extension which it is and whether it is required', async () => {
    const scim = await app.connect({ extensions: [REQUIRED_EXTENSION] });
    const { body } = await scim.get('/ResourceTypes/User');
    expect(body.schemaExtensions).toEqual([
      { schema: ENTERPRISE_URN, required: false },
      { schema: DEVICE_URN, required: true },
    ]);
  });

  it.each([
    ['the extension', {}],
    ['an attribute that the extension requires', { [DEVICE_URN]: { note: 'blue' } }],
  ])('[RFC7643-6-10] rejects a user without %s', async (_lack, attributes) => {
    const scim = await app.connect({ extensions: [REQUIRED_EXTENSION] });
    const body = { schemas: [USER_URN, DEVICE_URN], userName: 'a', ...attributes };
    expect(rejection(await scim.post('/Users', body))).toBe('400 invalidValue');
  });

  it('[RFC7643-6-10] does not let a PATCH take the required extension away', async () => {
    const scim = await app.connect({ extensions: [REQUIRED_EXTENSION] });
    const { body } = await scim.post('/Users', {
      schemas: [USER_URN, DEVICE_URN],
      userName: 'a',
      [DEVICE_URN]: { serial: '1' },
    });
    const removed = await scim.patch(pathOf(body), patchOp({ op: 'remove', path: `${DEVICE_URN}:serial` }));
    expect(rejection(removed)).toBe('400 mutability');
  });
});
