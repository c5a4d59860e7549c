export const ISOLATION_LEVELS = ['none', 'namespace', 'session'] as const;
/** What shares connections to a backend: everybody, the requests of one namespace, or nobody but one session. */
export type IsolationLevel = (typeof ISOLATION_LEVELS)[number];

export const BACKEND_KINDS = ['postgres', 'redis', 'nats', 'kafka'] as const;
/** Relational database, key-value store, message bus, streaming platform. */
export type BackendKind = (typeof BACKEND_KINDS)[number];
