import { parseNamespaceId } from '@palisade/domain';
import { SHARED } from '../pools/pool-settings.js';
import { named, optional, section } from './schema.js';
import { CORES, duration, FLAG, identifier, integer, LABEL_TEXT, memory, NAMESPACE, TIMEOUT } from './values.js';
import type { z } from 'zod';

export const CONNECTIONS: z.ZodType<number, number> = integer(1, 1_000_000);
const SESSIONS = integer(1, 1_000_000);
const MAX_NAMESPACES = 10_000;

const QUEUEING = {
  max_queued: optional(integer(0, 1_000_000), 'Requests of one pool that may wait for a connection.', {
    computedDefault: '1000',
  }),
  acquire_timeout: optional(TIMEOUT, 'How long a request may wait for a connection.', { computedDefault: '`5s`' }),
  connect_timeout: optional(TIMEOUT, 'How long opening a connection may take.', { computedDefault: '`5s`' }),
  idle_timeout: optional(TIMEOUT, 'How long an unused connection is kept, unless it is reserved.', {
    computedDefault: '`60s`',
  }),
  max_lifetime: optional(TIMEOUT, 'How old a connection may be when it is used.', { computedDefault: '`30m`' }),
};

const POOL_OWNER = identifier(
  `a namespace: ${LABEL_TEXT}; or "*" for all that share`,
  /^(?:\*|[a-z0-9-]{1,63})$/,
  (name) => (name === SHARED ? SHARED : parseNamespaceId(name)),
);

const NAMESPACE_LIMITS = section({
  connections_per_namespace: optional(CONNECTIONS, 'Connections of this namespace.', {
    property: 'max',
    computedDefault: 'those of the backend',
  }),
  reserved_connections: optional(integer(0, 1_000_000), 'Connections that no other namespace may take.', {
    property: 'reserved',
    computedDefault: '0',
  }),
  weight: optional(integer(1, 1000), 'Share of connections beside other namespaces.', { computedDefault: '1' }),
});

/** `connection_pools.<backend>`. */
export const BACKEND_KEYS = {
  max_total_connections: optional(CONNECTIONS, 'Connections of everybody together; a hard limit of one proxy.', {
    computedDefault: '`max_connections`; one of them is required',
  }),
  max_connections: optional(CONNECTIONS, 'Another name of `max_total_connections`; if both are there, they are equal.'),
  shared: optional(FLAG, 'States what the level implies: true at `none`, else false.'),
  connections_per_namespace: optional(CONNECTIONS, 'Connections of one namespace, those of its sessions included.', {
    computedDefault: '`max_total_connections`',
  }),
  per_session_limit: optional(CONNECTIONS, 'Connections of one session.', { computedDefault: '1' }),
  namespaces: optional(
    named(POOL_OWNER, NAMESPACE_LIMITS, MAX_NAMESPACES),
    'Limits of single namespaces, and under `*` of all that share connections.',
  ),
  max_namespaces: optional(CONNECTIONS, 'Namespaces that may have a connection or wait for one.', {
    computedDefault: '`max_total_connections` + 1000',
  }),
  ...QUEUEING,
};

export const NAMESPACE_RESOURCES = section({
  cpu: optional(CORES, 'Cores that one namespace may use of one proxy.', {
    property: 'cores',
    computedDefault: 'no limit',
  }),
  memory: optional(memory('1B'), 'Memory that one proxy may hold for one namespace.', {
    property: 'bytes',
    computedDefault: 'no limit',
  }),
  max_rps: optional(
    integer(1, 1_000_000, 'requests per second'),
    'Requests per second of one namespace; a burst may be as large.',
    { computedDefault: 'no limit' },
  ),
});

export const RESOURCE_LIMITS = section({
  per_namespace: optional(NAMESPACE_RESOURCES, 'Limits of each namespace.'),
  namespaces: optional(named(NAMESPACE, NAMESPACE_RESOURCES, MAX_NAMESPACES), 'Limits of single namespaces.'),
  cpu_window: optional(duration('1s', '24d'), 'Time over which the use of CPU is averaged.', {
    computedDefault: '`10s`',
  }),
});

export const USAGE = section({
  cpu: optional(FLAG, 'Measure CPU time by namespace, which costs about 1 % of it.', {
    property: 'measuresCpu',
    computedDefault: 'whether CPU time is limited',
  }),
  max_namespaces: optional(integer(1, 1_000_000), 'Namespaces whose usage is kept.', { computedDefault: '10000' }),
});

export const SESSION_MANAGEMENT = section({
  connection_reuse: optional(FLAG, 'States what always holds: no other session uses the connections of a session.', {
    computedDefault: 'false',
  }),
  max_sessions: optional(SESSIONS, 'Sessions of one proxy at once.', { computedDefault: '1000' }),
  max_sessions_per_namespace: optional(SESSIONS, 'Sessions of one namespace.', { computedDefault: '`max_sessions`' }),
  max_sessions_per_client: optional(SESSIONS, 'Sessions of one client.', {
    computedDefault: 'half of `max_sessions`',
  }),
  session_timeout: optional(duration('100ms', '24d'), 'A session ends after this time without a request in progress.', {
    computedDefault: '`300s`',
  }),
  drain_timeout: optional(TIMEOUT, 'How long requests in progress may take when their session ends.', {
    computedDefault: '`30s`',
  }),
});

export const AUDIT_KEYS = {
  log_connection_lifecycle: optional(FLAG, 'Write `connection_established` and `connection_closed` of sessions.', {
    property: 'logsConnections',
    computedDefault: 'false',
  }),
  log_session_lifecycle: optional(FLAG, 'Write `session_created` and `session_destroyed`.', {
    property: 'logsSessions',
    computedDefault: 'false',
  }),
  log_actions: optional(FLAG, 'Write a record of each action.', {
    property: 'logsActions',
    computedDefault: 'false',
  }),
  mandatory: optional(
    FLAG,
    'Reject what cannot be recorded, new sessions or work; needs `log_session_lifecycle` or `log_actions`.',
    { property: 'isMandatory', computedDefault: 'false' },
  ),
};
