/** Compiled by `npm run check -- types`, and never run: each expected error is one that users of the client would get. */
import {
  createControlPlaneClient,
  createScimServiceClient,
  dataOf,
  type ScimServiceComponents,
} from '@palisade/client';

const scim = createScimServiceClient({ baseUrl: 'http://localhost:9091' });
const control = createControlPlaneClient({ baseUrl: 'http://localhost:8980' });

export async function paths(): Promise<void> {
  // @ts-expect-error: no such path
  await scim.GET('/api/v1/provider');
  // @ts-expect-error: a path of the other service
  await scim.GET('/api/v1/tenants');
  // @ts-expect-error: a path that has other methods only
  await scim.PATCH('/api/v1/providers');
  // @ts-expect-error: the parameter of the path is missing
  await control.GET('/api/v1/tenants/{tenant_id}');
  // @ts-expect-error: the parameter of the path is another one
  await control.GET('/api/v1/tenants/{tenant_id}', { params: { path: { id: 'acme' } } });
}

export async function queries(): Promise<void> {
  // @ts-expect-error: a parameter that is required is missing
  await control.GET('/api/v1/routing/resolve');
  // @ts-expect-error: no such parameter
  await scim.GET('/scim/v2/Users', { params: { query: { filters: 'userName pr' } } });
  // @ts-expect-error: a number
  await control.GET('/api/v1/tenants', { params: { query: { limit: 'all' } } });
  // @ts-expect-error: one of a few words
  await scim.GET('/scim/v2/Users', { params: { query: { sortOrder: 'up' } } });
}

export async function bodies(): Promise<void> {
  // @ts-expect-error: there must be one
  await scim.POST('/api/v1/providers');
  // @ts-expect-error: a field that is required is missing
  await scim.POST('/api/v1/providers', { body: {} });
  // @ts-expect-error: a field is misspelt
  await scim.POST('/api/v1/bindings', { body: { bound_subject: 'group:scim:a:b', namespace: 'a', relatoin: 'admin' } });
  // @ts-expect-error: one of a few words
  await scim.POST('/api/v1/bindings', { body: { bound_subject: 'group:scim:a:b', namespace: 'a', relation: 'own' } });
  // @ts-expect-error: a field has another type
  await scim.POST('/scim/v2/Users', { body: { schemas: [], userName: 'ann', active: 'yes' } });
  // @ts-expect-error: an operation says what it does
  await scim.PATCH('/scim/v2/Users/{id}', { params: { path: { id: 'a' } }, body: { schemas: [], Operations: [{}] } });
}

export async function answers(): Promise<void> {
  const { data, error } = await scim.GET('/scim/v2/Users');
  // @ts-expect-error: it may have been rejected
  data.totalResults.toFixed();
  // @ts-expect-error: SCIM knows no code
  error?.code.toString();
  const page = dataOf(await scim.GET('/scim/v2/Users'));
  const [first] = page.Resources;
  // @ts-expect-error: there may be none
  first.id.toString();
  // @ts-expect-error: a user without one has none
  first?.displayName.toString();
  first?.id.toString();
  // @ts-expect-error: it answers nothing
  dataOf(await control.DELETE('/api/v1/tenants/{tenant_id}', { params: { path: { tenant_id: 'a' } } })).toString();
}

export async function rejections(): Promise<void> {
  const { error } = await control.GET('/api/v1/pools/{name}', { params: { path: { name: 'premium' } } });
  // @ts-expect-error: no code of the control plane
  if (error?.code === 'PROVIDER_NOT_FOUND') {
    error.detail?.toString();
  }
  const { error: scimError } = await scim.GET('/scim/v2/Users/{id}', { params: { path: { id: 'ann' } } });
  const typed: ScimServiceComponents['schemas']['Error'] | undefined = scimError;
  typed?.scimType?.toString();
}

export async function texts(): Promise<string> {
  const text = dataOf(await scim.GET('/api/v1/relationships', { parseAs: 'text' }));
  // @ts-expect-error: text
  text.map(String);
  return text;
}
