import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  ApiError,
  clientCredentials,
  createControlPlaneClient,
  createScimServiceClient,
  dataOf,
  type ControlPlaneClient,
  type ScimServiceClient,
} from '@palisade/client';
import { ADMIN_TOKEN, SCIM_TOKEN, Services } from '../cli/test/support/services.js';
import { SERVICES, clientTypesPath, renderClientTypes } from '../scripts/lib/client-types.mjs';
import { onboard } from './support/examples/typed-client.js';
import { findProxies } from './support/examples/typed-rejection.js';

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const BULK_REQUEST = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest';

describe('the types of the client', () => {
  it.each(SERVICES)('are what docs/openapi/%s.json says (npm run docs)', async (service) => {
    const committed = readFileSync(join(import.meta.dirname, '..', clientTypesPath(service)), 'utf8');
    expect(committed === (await renderClientTypes(service))).toBe(true);
  });
});

describe('docs/development.md', () => {
  it.each(['typed-client', 'typed-rejection'])('shows %s as it is tested', (name) => {
    const document = readFileSync(join(import.meta.dirname, '../docs/development.md'), 'utf8');
    const code = readFileSync(join(import.meta.dirname, `support/examples/${name}.ts`), 'utf8');
    expect(document.includes(code)).toBe(true);
  });
});

describe('a client of the services', () => {
  let services: Services;
  let admin: ScimServiceClient;
  let scim: ScimServiceClient;
  let control: ControlPlaneClient;

  beforeAll(async () => {
    services = await Services.start();
    admin = createScimServiceClient({ baseUrl: services.scim.url, token: ADMIN_TOKEN });
    scim = createScimServiceClient({ baseUrl: services.scim.url, token: SCIM_TOKEN });
    control = createControlPlaneClient({ baseUrl: services.control.url, token: ADMIN_TOKEN });
  });
  afterAll(() => services[Symbol.asyncDispose]());

  it('onboards a customer as the documentation shows', async () => {
    const { scim, control } = services;
    const adminToken = async (): Promise<string> => ADMIN_TOKEN;
    const outcome = await onboard({ scimUrl: scim.url, controlUrl: control.url, adminToken });
    expect(outcome).toEqual({
      allowed: true,
      summary: expect.stringMatching(/^Namespace "acme-orders" of tenant "acme" goes to the pool/),
    });
  });

  it('finds no proxies of a pool that there is not, as the documentation shows', async () => {
    expect(await findProxies(control, 'unknown')).toBeUndefined();
    expect(await findProxies(control, 'premium')).toEqual([]);
  });

  it('changes a user only in the version that it knows', async () => {
    const created = await scim.POST('/scim/v2/Users', {
      body: { schemas: [USER], externalId: 'bob', userName: 'bob@example.com' },
    });
    const path = { id: dataOf(created).id };
    const rename = (title: string) =>
      scim.PATCH('/scim/v2/Users/{id}', {
        params: { path, header: { 'If-Match': created.response.headers.get('ETag') ?? '' } },
        body: { schemas: [PATCH_OP], Operations: [{ op: 'replace', path: 'title', value: title }] },
      });
    expect(dataOf(await rename('Engineer'))?.title).toBe('Engineer');
    const { error, response } = await rename('Manager');
    expect([response.status, error?.schemas]).toEqual([412, ['urn:ietf:params:scim:api:messages:2.0:Error']]);
  });

  it('filters, and asks for some attributes only', async () => {
    const Operations = ['eve', 'fay'].map((name) => ({
      method: 'POST' as const,
      path: '/Users',
      bulkId: name,
      data: { schemas: [USER], externalId: name, userName: `${name}@example.org`, title: 'Auditor' },
    }));
    const answer = dataOf(await scim.POST('/scim/v2/Bulk', { body: { schemas: [BULK_REQUEST], Operations } }));
    expect(answer.Operations.map(({ status }) => status)).toEqual(['201', '201']);
    const query = { filter: 'userName ew "@example.org"', sortBy: 'userName', attributes: ['userName', 'active'] };
    const page = dataOf(await scim.GET('/scim/v2/Users', { params: { query } }));
    expect(page.Resources.map(({ userName, active, title }) => [userName, active, title])).toEqual([
      ['eve@example.org', true, undefined],
      ['fay@example.org', true, undefined],
    ]);
  });

  it('is told by SCIM why a request is rejected', async () => {
    const { error } = await scim.GET('/scim/v2/Users', { params: { query: { filter: 'userName eq' } } });
    expect(error?.scimType).toBe('invalidFilter');
  });

  it('is told by the admin API why a request is rejected', async () => {
    const answer = await admin.GET('/api/v1/providers/{id}', { params: { path: { id: 'unknown' } } });
    expect([answer.error?.code, answer.error?.status]).toEqual(['PROVIDER_NOT_FOUND', 404]);
    expect(() => dataOf(answer)).toThrow(ApiError);
  });

  it('is told which of its two tokens a path takes', async () => {
    const { error } = await scim.GET('/api/v1/providers');
    expect(error?.code).toBe('UNAUTHENTICATED');
  });

  it('gets an access token for a client, and uses it', async () => {
    dataOf(await admin.POST('/api/v1/providers', { body: { id: 'okta' } }));
    const params = { path: { provider: 'okta' } };
    const issued = dataOf(
      await admin.POST('/api/v1/providers/{provider}/tokens', { params, body: { kind: 'client' } }),
    );
    const baseUrl = services.scim.url;
    const token = clientCredentials({ baseUrl, clientId: issued.id, clientSecret: issued.secret });
    const client = createScimServiceClient({ baseUrl, token });
    expect(dataOf(await client.GET('/scim/v2/Users')).totalResults).toBe(0);
  });

  it('reads an export as a stream', async () => {
    const { data } = await admin.GET('/api/v1/relationships', { parseAs: 'stream' });
    const chunks: Uint8Array[] = [];
    for await (const chunk of data ?? []) {
      chunks.push(chunk);
    }
    expect(Buffer.concat(chunks).toString()).toContain('"member"');
  });
});
