import { duration, FLAG, integer } from '../kinds/basic-kinds.js';
import { NAMESPACE } from '../kinds/names.js';
import { CPU, MEMORY } from '../kinds/quantities.js';
import { NamedSections, Section, Setting } from '../sections/setting.decorator.js';

export const CONNECTIONS = integer(1, 1_000_000);
export const MAX_RPS = integer(1, 1_000_000, 'requests per second');
export const MAX_SESSIONS = integer(1, 1_000_000);

/** Timers cannot wait longer. */
const TIMEOUT = duration('0ms', '24d');
export const SESSION_TIMEOUT = duration('1s', '24d');

const POOLED = { levels: ['none', 'namespace'] } as const;

export class NamespaceLimitsSection {
  @Setting(CONNECTIONS, 'Connections of this namespace.', { computedDefault: 'those of the backend' })
  readonly connections_per_namespace?: number;

  @Setting(integer(0, 1_000_000), 'Connections that no other namespace may take.', { computedDefault: '0' })
  readonly reserved_connections?: number;

  @Setting(integer(1, 1000), 'Share of connections beside other namespaces.', { computedDefault: '1' })
  readonly weight?: number;
}

export class BackendPoolSection {
  @Setting(CONNECTIONS, 'Connections of everybody together; a hard limit of one proxy.', {
    levels: ['none', 'session'],
    computedDefault: 'required',
  })
  readonly max_connections?: number;

  @Setting(FLAG, 'Only to say it again: true at `none`, false at `session`.', { levels: ['none', 'session'] })
  readonly shared?: boolean;

  @Setting(CONNECTIONS, 'Connections of one namespace.', { levels: ['namespace'], computedDefault: 'required' })
  readonly connections_per_namespace?: number;

  @Setting(CONNECTIONS, 'Connections of all namespaces together; a hard limit of one proxy.', {
    levels: ['namespace'],
    computedDefault: 'required',
  })
  readonly max_total_connections?: number;

  @Setting(CONNECTIONS, 'Connections of one session.', { levels: ['session'], computedDefault: '1' })
  readonly per_session_limit?: number;

  @NamedSections(() => NamespaceLimitsSection, 'Limits of single namespaces.', {
    names: NAMESPACE,
    maxItems: 10_000,
    levels: ['namespace'],
  })
  readonly namespaces?: ReadonlyMap<string, NamespaceLimitsSection>;

  @Setting(CONNECTIONS, 'Namespaces that may have a connection or wait for one.', {
    levels: ['namespace'],
    computedDefault: '`max_total_connections` + 1000',
  })
  readonly max_namespaces?: number;

  @Setting(integer(0, 1_000_000), 'Requests of one pool that may wait for a connection.', {
    ...POOLED,
    computedDefault: '1000',
  })
  readonly max_queued?: number;

  @Setting(TIMEOUT, 'How long a request may wait for a connection.', { ...POOLED, computedDefault: '`5s`' })
  readonly acquire_timeout?: string;

  @Setting(TIMEOUT, 'How long making a connection may take.', { ...POOLED, computedDefault: '`5s`' })
  readonly connect_timeout?: string;

  @Setting(TIMEOUT, 'How long an unused connection is kept, unless it is reserved.', {
    ...POOLED,
    computedDefault: '`60s`',
  })
  readonly idle_timeout?: string;

  @Setting(TIMEOUT, 'How old a connection may be when it is used.', { ...POOLED, computedDefault: '`30m`' })
  readonly max_lifetime?: string;
}

export class ConnectionPoolsSection {
  @Setting(FLAG, 'Only to say it again: true where pools have the level `namespace`.', { levels: ['namespace'] })
  readonly per_namespace?: boolean;

  @Section(() => BackendPoolSection, 'To the relational database.')
  readonly postgres?: BackendPoolSection;

  @Section(() => BackendPoolSection, 'To the key-value store.')
  readonly redis?: BackendPoolSection;

  @Section(() => BackendPoolSection, 'To the message bus.')
  readonly nats?: BackendPoolSection;

  @Section(() => BackendPoolSection, 'To the streaming platform.')
  readonly kafka?: BackendPoolSection;
}

export class NamespaceResourcesSection {
  @Setting(CPU, 'Cores that one namespace may use of one proxy.', { computedDefault: 'no limit' })
  readonly cpu?: string | number;

  @Setting(MEMORY, 'Memory that one proxy may hold for one namespace.', { computedDefault: 'no limit' })
  readonly memory?: string | number;

  @Setting(MAX_RPS, 'Requests per second of one namespace; as many may come at once.', { computedDefault: 'no limit' })
  readonly max_rps?: number;
}

export class ResourceLimitsSection {
  @Section(() => NamespaceResourcesSection, 'Limits of each namespace.')
  readonly per_namespace?: NamespaceResourcesSection;

  @NamedSections(() => NamespaceResourcesSection, 'Limits of single namespaces.', {
    names: NAMESPACE,
    maxItems: 10_000,
  })
  readonly namespaces?: ReadonlyMap<string, NamespaceResourcesSection>;
}

export class SessionManagementSection {
  @Setting(FLAG, 'Only to say it again: connections of a session are never used by another one.', {
    computedDefault: 'false',
  })
  readonly connection_reuse?: boolean;

  @Setting(MAX_SESSIONS, 'Sessions of one proxy at once.', { required: true })
  readonly max_sessions!: number;

  @Setting(MAX_SESSIONS, 'Of one namespace.', { computedDefault: '`max_sessions`' })
  readonly max_sessions_per_namespace?: number;

  @Setting(MAX_SESSIONS, 'Of one client.', { computedDefault: 'half of `max_sessions`' })
  readonly max_sessions_per_client?: number;

  @Setting(SESSION_TIMEOUT, 'How long a session may be without a request under way.', { computedDefault: '`300s`' })
  readonly session_timeout?: string;

  @Setting(TIMEOUT, 'How long requests under way may take when their session ends.', { computedDefault: '`30s`' })
  readonly drain_timeout?: string;

  @Setting(TIMEOUT, 'How long making a connection may take.', { computedDefault: '`5s`' })
  readonly connect_timeout?: string;
}

export class ProxyAuditSection {
  @Setting(FLAG, 'Write `connection_established` and `connection_closed`.', {
    levels: ['session'],
    computedDefault: 'false',
  })
  readonly log_connection_lifecycle?: boolean;

  @Setting(FLAG, 'Write `session_created` and `session_destroyed`.', { levels: ['session'], computedDefault: 'false' })
  readonly log_session_lifecycle?: boolean;

  @Setting(FLAG, 'Write a record of each action.', { computedDefault: 'false' })
  readonly log_actions?: boolean;

  @Setting(FLAG, 'Refuse work while records cannot be written; needs `log_session_lifecycle` or `log_actions`.', {
    computedDefault: 'false',
  })
  readonly mandatory?: boolean;
}
