import { ServiceProcess, type ServiceName } from './service-process.js';
import type { ClientRequest } from './traffic/keep-alive-client.js';
import { KeepAliveClient } from './traffic/keep-alive-client.js';
import { user } from './scim-bodies.js';
import { until } from './until.js';

export const SCIM_TOKEN = 'a-scim-token-of-the-tests';
export const ADMIN_TOKEN = 'an-admin-token-of-the-tests';
export const SCIM_HEADERS = { Authorization: `Bearer ${SCIM_TOKEN}`, 'Content-Type': 'application/scim+json' };
export const ADMIN_HEADERS = { Authorization: `Bearer ${ADMIN_TOKEN}`, 'Content-Type': 'application/json' };

/** What tests of both services need to know of each: how one of its objects is made, and how it is found. */
export interface ServiceUnderTest {
  readonly name: ServiceName;
  readonly create: (object: string) => ClientRequest;
  readonly find: (object: string) => ClientRequest;
}

const SCIM_SERVICE: ServiceUnderTest = {
  name: 'scim-service',
  create: (name) => {
    const body = user({ userName: name, externalId: name });
    return { method: 'POST', path: '/scim/v2/Users', headers: SCIM_HEADERS, body };
  },
  find: (name) => {
    const filter = encodeURIComponent(`userName eq "${name}"`);
    return { method: 'GET', path: `/scim/v2/Users?filter=${filter}`, headers: SCIM_HEADERS };
  },
};

const CONTROL_PLANE: ServiceUnderTest = {
  name: 'control-plane',
  create: (name) => {
    const body = { tenant_id: name, namespace_pattern: name, pool: 'standard' };
    return { method: 'POST', path: '/api/v1/tenants', headers: ADMIN_HEADERS, body };
  },
  find: (name) => ({ method: 'GET', path: `/api/v1/tenants/${name}`, headers: ADMIN_HEADERS }),
};

/** For `describe.each`. */
export const SERVICES = [
  ['scim-service', SCIM_SERVICE],
  ['control-plane', CONTROL_PLANE],
] as const;

/** What a service needs to start on this store. */
export function environmentOf(name: ServiceName, storeUrl: string): Record<string, string> {
  const scim = name === 'scim-service' && { SVC_SCIM_BEARER_TOKEN: SCIM_TOKEN };
  return { SVC_STORE_URL: storeUrl, SVC_ADMIN_TOKEN: ADMIN_TOKEN, ...scim };
}

/** Whether the service finds the object. */
export async function isStored(service: ServiceProcess, request: ClientRequest, object: string): Promise<boolean> {
  const client = new KeepAliveClient(service.origin);
  const { status, text } = await client.send(request);
  client.close();
  return status === 200 && text.includes(`"${object}"`);
}

/** Resolves when it accepts no more connections. */
export async function untilRejected(service: ServiceProcess): Promise<void> {
  await until(async () => (await service.readiness()) === undefined);
}
