import { ISOLATION_LEVELS, isObject } from '@palisade/domain';
import { z } from 'zod';
import { formatProblem, readValue } from '../settings/problems.js';
import { list, named, optional, required, section, value } from '../settings/schema.js';
import { CONNECTIONS, NAMESPACE_RESOURCES } from '../settings/sections.js';
import { choice, integer, LABEL_TEXT, matching, NAMESPACE_PATTERN, POOL_NAME, TENANT_ID } from '../settings/values.js';
import { PolicyRejectedError } from './policy.errors.js';

const MAX_TENANTS = 1_000_000;
const MAX_PATTERNS = 10_000;
const MAX_BACKENDS = 100;

const REVISION = integer(0, Number.MAX_SAFE_INTEGER);
const DIGEST = matching('a digest: 1 to 128 of 0-9, a-z, "-", "_"', /^[\w-]{1,128}$/);
const BACKEND_NAME = matching(`the name of a backend: ${LABEL_TEXT}`, /^[a-z][a-z0-9-]{0,62}$/);

/** A tenant as documents describe it, with what it has of its own. */
const TENANT = section({
  tenant_id: required(TENANT_ID, 'Id of the tenant.'),
  namespaces: required(list(NAMESPACE_PATTERN, MAX_PATTERNS), 'Names and globs of its namespaces.'),
  isolation_level: optional(choice(ISOLATION_LEVELS), 'What shares connections.'),
  connection_pools: optional(
    named(
      BACKEND_NAME,
      section({
        connections_per_namespace: optional(CONNECTIONS, 'Connections of each of its namespaces.'),
        per_session_limit: optional(CONNECTIONS, 'Connections of each of its sessions.'),
      }),
      MAX_BACKENDS,
    ),
    'Connections to backends.',
  ),
  resource_limits: optional(NAMESPACE_RESOURCES, 'What each of its namespaces may take.'),
});

export type WrittenTenant = z.output<typeof TENANT>;

const COMPLETE = section({
  revision: required(REVISION, 'Revision of the registry.'),
  configuration: required(DIGEST, 'Digest of the configuration that revisions count within.'),
  pool: required(POOL_NAME, 'Pool that the policy is for.'),
  settings: required(
    value(z.custom<Readonly<Record<string, unknown>>>(isObject), { expected: 'an object' }),
    'What every tenant has unless it says otherwise.',
  ),
  tenants: required(list(TENANT, MAX_TENANTS), 'Tenants that the pool serves.'),
  restored: optional(value(z.literal(true), { expected: 'true' }), 'Whether the revision may be lower than before.'),
});

const CHANGE = section({
  from: required(REVISION, 'Revision that the change starts from.'),
  revision: required(REVISION, 'Revision of the registry.'),
  tenants: required(list(TENANT, MAX_TENANTS), 'Tenants that are new or different.'),
  removed: required(list(TENANT_ID, MAX_TENANTS), 'Tenants that the pool serves no longer.'),
});

/** @throws {PolicyRejectedError} */
export function readCompletePolicy(document: unknown): z.output<typeof COMPLETE> {
  return read(COMPLETE, document);
}

/** @throws {PolicyRejectedError} */
export function readPolicyChange(document: unknown): z.output<typeof CHANGE> {
  return read(CHANGE, document);
}

/** So many problems say what is wrong; a reason goes into heartbeats and logs. */
const MAX_PROBLEMS = 10;

function read<T>(schema: z.ZodType<T>, document: unknown): T {
  const { value: policy, problems } = readValue(schema, document);
  if (policy === undefined) {
    const given = isObject(document) ? document['revision'] : undefined;
    const revision = Number.isSafeInteger(given) ? Number(given) : undefined;
    throw new PolicyRejectedError(revision, problems.slice(0, MAX_PROBLEMS).map(formatProblem));
  }
  return policy;
}
