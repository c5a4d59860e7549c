export { IsolationModule } from './isolation.module.js';
export { ISOLATION_OPTIONS, type IsolationOptions } from './isolation-options.js';
export { IsolationPools } from './isolation-pools.js';
export { IsolationSessions } from './isolation-sessions.js';
export { IsolationLevelError } from './isolation-level.error.js';

export { NamespacePools } from './pools/namespace-pools.js';
export type { Lease } from './pools/lease.js';
export type { ConnectionDriver, Credentials } from './pools/connection-driver.js';
export type { PoolsOptions } from './pools/pool-options.js';
export type {
  NamespaceLimits,
  PoolLimits,
  PoolSettings,
  PoolSettingsInput,
  PoolTimings,
} from './pools/pool-settings.js';
export type { PoolCounters } from './pools/pool-counters.js';
export type { PoolSnapshot, PoolsSnapshot, PoolsState } from './pools/pool-snapshot.js';
export { BackendUnavailableError } from './pools/errors/backend-unavailable.error.js';
export { PoolClosedError } from './pools/errors/pool-closed.error.js';
export { PoolExhaustedError } from './pools/errors/pool-exhausted.error.js';
export { PoolTimeoutError } from './pools/errors/pool-timeout.error.js';

export { SessionManager, type OpenSessionOptions, type SessionManagerOptions } from './sessions/session-manager.js';
export type { Session, SessionState } from './sessions/session.js';
export type { SessionOwner } from './sessions/session-budget.js';
export { parseSessionId, type SessionId } from './sessions/session-id.js';
export type { DedicatedConnection } from './sessions/dedicated-connection.js';
export type { SessionAuditSink, SessionEndReason, SessionEvent } from './sessions/session-event.js';
export type { DedicatedBackendSettings, SessionAuditSettings, SessionSettings } from './sessions/session-settings.js';
export type { SessionsSnapshot } from './sessions/session-snapshot.js';
export { AuditUnavailableError } from './sessions/errors/audit-unavailable.error.js';
export { SessionBusyError } from './sessions/errors/session-busy.error.js';
export { SessionLimitError } from './sessions/errors/session-limit.error.js';
export { SessionNotFoundError } from './sessions/errors/session-not-found.error.js';
export { SessionsClosedError } from './sessions/errors/sessions-closed.error.js';

export { PostgresDriver, type PostgresDriverOptions } from './backends/postgres/postgres-driver.js';
export type { DriverClass } from './backends/driver-class.js';
export { UnknownBackendError } from './backends/unknown-backend.error.js';

export { RequestLimiter, type RequestLimiterOptions } from './limits/request-limiter.js';
export { RateLimitedError } from './limits/rate-limited.error.js';

export type { DedicatedSettings, IsolationSettings, PooledSettings } from './settings/isolation-settings.js';
export { InvalidSettingsError } from './settings/invalid-settings.error.js';
export { parseIsolationSettings } from './settings/parse-isolation-settings.js';
export { SYSTEM_CLOCK, type Clock, type Timer } from './time/clock.js';
