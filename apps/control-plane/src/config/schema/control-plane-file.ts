import { ISOLATION_LEVELS, TENANCY_MODELS } from '@palisade/domain';
import {
  AUDIT_KEYS,
  BACKEND_KEYS,
  choice,
  CORES,
  duration,
  FLAG,
  integer,
  list,
  memory,
  named,
  optional,
  POOL_NAME,
  present,
  RESOURCE_LIMITS,
  section,
  SESSION_MANAGEMENT,
  TENANT_ID,
  text,
  USAGE,
  withDefault,
} from '@palisade/isolation/settings';
import type { z } from 'zod';
import { BACKENDS, perBackend } from './backends.js';
import {
  COMPLIANCE,
  CONTROL_PLANE,
  DNS,
  HEALTH_CHECKS,
  KUBERNETES,
  LOAD_BALANCER,
  OBSERVABILITY,
  SERVICE_DISCOVERY,
} from './operations.js';
import { AUDIT_LOCATION, FILE_PATH } from './places.js';
import { NAMESPACE_ROUTES, TENANT_ROUTING } from './routing.js';

const ISOLATION_LEVEL = choice(ISOLATION_LEVELS);
const REPLICAS = integer(0, 10_000);

const DEPLOYMENT = section({
  model: withDefault(
    choice(TENANCY_MODELS),
    'multi_tenant',
    'How the whole installation is deployed: for one tenant, for many on shared proxies, or both by rules.',
  ),
  tenant_id: optional(TENANT_ID, 'The tenant that everything belongs to.', {
    appliesTo: '`single_tenant`, required there',
  }),
  control_plane: optional(text(255), 'Name of the control plane, for people.', {
    appliesTo: '`multi_tenant`, `hybrid`',
  }),
});

const RESOURCES = section({
  cpu: optional(CORES, 'Cores of one proxy.', { computedDefault: '2' }),
  memory: optional(memory('1Mi'), 'Memory of one proxy.', { computedDefault: '4Gi' }),
});

const PROXY = section({
  replicas: optional(REPLICAS, 'Proxies of each pool that does not say it itself.', { computedDefault: '2' }),
  resources: optional(RESOURCES, 'Resources of each proxy whose pool does not say it itself.'),
  isolation_level: optional(ISOLATION_LEVEL, 'Isolation level of each pool that does not say it itself.'),
});

const PROXY_POOL = section({
  replicas: optional(REPLICAS, 'Proxies of the pool.', { computedDefault: '`proxy.replicas`' }),
  resources: optional(RESOURCES, 'Resources of each proxy of the pool; by default those of `proxy.resources`.'),
  isolation_level: optional(ISOLATION_LEVEL, 'What shares connections in the proxies of the pool.', {
    computedDefault: '`proxy.isolation_level`, else the `isolation_level` of the file; one of them is required',
  }),
  isolation_levels: optional(list(ISOLATION_LEVEL, ISOLATION_LEVELS.length), 'Levels that the proxies offer.', {
    computedDefault: 'all',
  }),
});

const CLUSTER = section({
  mode: optional(text(63), 'Kind of the cluster, for people; `dedicated` for a single tenant.'),
  load_balancer: optional(text(63), 'Kind of load balancer in front of the cluster, for people.'),
});

const BACKEND_POOL = section(BACKEND_KEYS);

const CONNECTION_POOLS = section({
  per_namespace: optional(FLAG, 'States what the level implies: true where pools have the level `namespace`.'),
  ...perBackend(BACKEND_POOL),
});

/** What proxies are told about isolation. */
const ISOLATION_KEYS = {
  connection_pools: optional(CONNECTION_POOLS, 'Connections of one proxy to backends.'),
  resource_limits: optional(RESOURCE_LIMITS, 'What one proxy lets be used.'),
  session_management: optional(SESSION_MANAGEMENT, 'Sessions of one proxy.'),
  usage: optional(USAGE, 'What proxies measure.'),
  audit: optional(section(AUDIT_KEYS), 'What proxies write into their audit trail.'),
};
export const ISOLATION_SECTIONS = section(ISOLATION_KEYS);

/** The configuration file: every key, its values, its default and its meaning. */
export const CONTROL_PLANE_FILE = section({
  deployment: present(DEPLOYMENT, 'What is deployed.'),
  proxy: present(
    PROXY,
    'What proxies have, unless their pool says otherwise. In `single_tenant` without `proxy_pools` it is the one pool, `dedicated`.',
  ),
  cluster: present(CLUSTER, 'The cluster, for people.'),
  proxy_pools: present(named(POOL_NAME, PROXY_POOL, 1000), 'Pools of proxies, by name.', {
    appliesTo: 'required in `multi_tenant` and `hybrid`',
  }),
  backends: present(BACKENDS, 'Backends that proxies give access to.'),
  namespace_routing: withDefault(NAMESPACE_ROUTES, [], 'Pools of namespaces that belong to no registered tenant.', {
    appliesTo: '`multi_tenant`, `hybrid`',
  }),
  namespace_routing_file: optional(
    FILE_PATH,
    'File with more such entries, one on a line: pattern, pool and optional weight; for many of them.',
    { appliesTo: '`multi_tenant`, `hybrid`' },
  ),
  tenant_routing: optional(TENANT_ROUTING, 'Rules by which tenants get their pool.', { appliesTo: '`hybrid`' }),
  default_pool: optional(POOL_NAME, 'Pool of everything that has no other; without one, such requests have no route.', {
    computedDefault: '`single_tenant`: the only pool, or one named like the tenant, or `dedicated`; else none',
  }),
  drain_timeout: withDefault(
    duration('0s', '1d'),
    '30s',
    'How long the pool that a tenant leaves goes on serving it; with a load balancer, `policy_wait` at least.',
  ),
  control_plane: optional(CONTROL_PLANE, 'The control plane itself.'),
  prism_bridge: optional(CONTROL_PLANE, 'Another name of `control_plane`; only one of them may be there.'),
  load_balancer: optional(LOAD_BALANCER, 'The load balancer that the control plane configures; absent: none.'),
  service_discovery: optional(SERVICE_DISCOVERY, 'How proxies are found; absent: they register.'),
  health_checks: present(HEALTH_CHECKS, 'How the control plane learns which proxies are healthy.'),
  dns: optional(DNS, 'DNS names of pools; absent: none are kept.'),
  kubernetes: optional(KUBERNETES, 'The Kubernetes cluster that the control plane works with; absent: none.'),
  isolation_level: optional(
    ISOLATION_LEVEL,
    'Isolation level of each pool that does not say it itself; the same as `proxy.isolation_level`.',
  ),
  ...ISOLATION_KEYS,
  observability: present(OBSERVABILITY, 'Where the installation is observed.'),
  compliance: present(COMPLIANCE, 'What the installation has to satisfy.'),
  audit_backend: optional(AUDIT_LOCATION, 'Where the log is exported to.'),
});

/** What a file says, with its defaults. */
export type ControlPlaneFile = z.output<typeof CONTROL_PLANE_FILE>;
