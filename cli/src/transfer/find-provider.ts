import type { ApiClient } from '../api/api-client.js';

const ENDPOINTS = ['/Users', '/Groups'];

/** The provider whose token the client has, as identifiers name it; undefined as long as it has neither users nor groups. */
export async function findProvider(client: ApiClient): Promise<string | undefined> {
  for (const endpoint of ENDPOINTS) {
    const query = { count: '1', attributes: 'id' };
    const answer = await client.send({ method: 'GET', path: `/scim/v2${endpoint}`, query });
    const { Resources: resources = [] } = (answer ?? {}) as {
      readonly Resources?: readonly { readonly id?: unknown }[];
    };
    const provider = /^(?:user|group):scim:([^:]+):/.exec(String(resources[0]?.id))?.[1];
    if (provider !== undefined) {
      return provider;
    }
  }
  return undefined;
}
