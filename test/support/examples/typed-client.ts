import { createControlPlaneClient, createScimServiceClient, dataOf } from '@palisade/client';

export interface Installation {
  readonly scimUrl: string;
  readonly controlUrl: string;
  /** A token of an admin; a function is asked before each request. */
  readonly adminToken: string | (() => Promise<string>);
}

/** Registers a customer whose engineers may write in its namespaces; says whether they may, and where their requests go. */
export async function onboard({ scimUrl, controlUrl, adminToken }: Installation) {
  const admin = createScimServiceClient({ baseUrl: scimUrl, token: adminToken });
  const control = createControlPlaneClient({ baseUrl: controlUrl, token: adminToken });

  const provider = dataOf(await admin.POST('/api/v1/providers', { body: { id: 'acme-entra', dialect: 'entra' } }));
  const path = { provider: provider.id };
  const { secret } = dataOf(
    await admin.POST('/api/v1/providers/{provider}/tokens', { params: { path }, body: { description: 'onboarding' } }),
  );

  const scim = createScimServiceClient({ baseUrl: scimUrl, token: secret });
  const ada = dataOf(
    await scim.POST('/scim/v2/Users', {
      body: {
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
        externalId: 'ada',
        userName: 'ada@example.com',
      },
    }),
  );
  const engineers = dataOf(
    await scim.POST('/scim/v2/Groups', {
      body: {
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
        externalId: 'engineers',
        displayName: 'Engineers',
        members: [{ value: ada.id }],
      },
    }),
  );

  const binding = { bound_subject: engineers.id, namespace: 'acme-orders', relation: 'write' } as const;
  dataOf(await admin.POST('/api/v1/bindings', { body: binding }));
  dataOf(
    await control.POST('/api/v1/tenants', {
      body: { tenant_id: 'acme', namespace_pattern: 'acme-*', pool: 'premium' },
    }),
  );

  const question = { user: ada.id, namespace: 'acme-orders', relation: 'write' } as const;
  const { allowed } = dataOf(await admin.GET('/api/v1/access/check', { params: { query: question } }));
  const { summary } = dataOf(await control.POST('/api/v1/routing/explain', { body: { namespace: 'acme-orders' } }));
  return { allowed, summary };
}
