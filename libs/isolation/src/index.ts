export { IsolationModule } from './isolation.module.js';
export { type ControlPlaneOptions, ISOLATION_OPTIONS, type IsolationOptions } from './isolation-options.js';
export { Isolation } from './isolation.js';
export type { IsolationCaller, RunOptions } from './running/connection-source.js';
export { IsolationClosedError, IsolationLevelError, SessionRequiredError } from './isolation.errors.js';
export { type BackendPoolSnapshot, IsolationPools } from './isolation-pools.js';
export { IsolationSessions } from './isolation-sessions.js';

export { type BackendTerms, IsolationPolicy } from './policy/isolation-policy.js';
export type { NamespaceTerms } from './policy/terms.js';
export { NamespaceNotServedError, NoPolicyError, PolicyRejectedError } from './policy/policy.errors.js';

export { type AcquireOwnOptions, NamespacePools } from './pools/namespace-pools.js';
export type { Lease } from './pools/lease.js';
export type { ConnectionDriver, Credentials } from './pools/connection-driver.js';
export type { PoolsOptions } from './pools/pool-options.js';
export type {
  NamespaceLimits,
  PoolLimits,
  PoolSettings,
  PoolSettingsInput,
  PoolTerms,
  PoolTimings,
} from './pools/pool-settings.js';
export { SHARED } from './pools/pool-settings.js';
export type { PoolCounters } from './pools/pool-counters.js';
export type { PoolSnapshot, PoolsSnapshot, PoolsState } from './pools/pool-snapshot.js';
export {
  BackendUnavailableError,
  NamespaceRejectedError,
  PoolClosedError,
  PoolExhaustedError,
  PoolTimeoutError,
} from './pools/pool.errors.js';

export { type OpenSessionOptions, SessionManager, type SessionManagerOptions } from './sessions/session-manager.js';
export type { Session, SessionState } from './sessions/session.js';
export type { SessionOwner } from './sessions/session-budget.js';
export { parseSessionId, type SessionId } from './sessions/session-id.js';
export type { DedicatedConnection } from './sessions/dedicated-connection.js';
export type { SessionAuditSink, SessionEndReason, SessionEvent } from './sessions/session-event.js';
export type { SessionAuditSettings, SessionBackend, SessionSettings } from './sessions/session-settings.js';
export type { SessionsSnapshot } from './sessions/session-journal.js';
export {
  SessionBusyError,
  SessionEndedError,
  SessionLimitError,
  SessionNotFoundError,
  SessionsClosedError,
} from './sessions/session.errors.js';

export type { SubscribeLimits } from './backends/buffered-subscription.js';
export {
  BackendTimeoutError,
  ConnectionLostError,
  InvalidNameError,
  MissingPackageError,
  SlowConsumerError,
  UnknownBackendError,
} from './backends/backend.errors.js';

export type {
  BackendDriver,
  BackendDriverClass,
  DriverClass,
  ScopeContext,
  ScopedClient,
} from './backends/backend-driver.js';

export { RequestLimiter, type RequestLimiterOptions } from './limits/request-limiter.js';
export { CpuLimitError, MemoryLimitError, RateLimitedError } from './limits/limit.errors.js';
export type { ResourceLimits } from './limits/resource-limits.js';

export { CapParts, type CappedConnections } from './usage/cap-parts.js';
export { type ReportedUsage, UsageReporter } from './usage/usage-reporter.js';
export { UsageService, type UsageSnapshotOptions } from './usage/usage.service.js';
export type {
  BackendUsage,
  ConnectionsSnapshot,
  NamespaceUsage,
  UsageAlert,
  UsageSnapshot,
} from './usage/namespace-usage.js';
export type { Outcome } from './usage/namespace-tally.js';
export type { UsageTotals } from './usage/usage-counters.js';
export type { EndedRun, RunListener, UsageSettings } from './usage/usage-registry.js';
export { type IsolationMetricsOptions, OTHER_NAMESPACES, registerIsolationMetrics } from './usage/isolation-metrics.js';
export { CpuUsageUnavailableError } from './usage/usage.errors.js';

export type { ActionAuditSettings, ActionSink } from './audit/action-journal.js';
export type { AuditSink } from './audit/audit-trail.js';
export { AuditUnavailableError } from './audit/audit.errors.js';

export type { BackendSettings, IsolationSettings } from './isolation-settings.js';
export { InvalidSettingsError } from './invalid-settings.error.js';
export { parseIsolationSettings } from './settings/parse-isolation-settings.js';
export {
  ControlPlaneClient,
  type ControlPlaneClientOptions,
  type FollowPolicyOptions,
  type PolicyEvent,
  type ProxyIdentity,
  tokenFromFile,
} from './control-plane/control-plane-client.js';
export type { HeartbeatAnswer } from './control-plane/answers.js';
export {
  type CapTaker,
  GovernedProxy,
  type GovernedProxyOptions,
  type GovernanceSnapshot,
} from './control-plane/governed-proxy.js';
export { registerGovernanceMetrics } from './control-plane/governance-metrics.js';
export type { GovernanceLogger } from './control-plane/policy-follower.js';
export {
  AccessDecisions,
  type AccessDecisionsOptions,
  type AccessDemand,
  type AccessHolder,
  type AccessSnapshot,
} from './control-plane/access-decisions.js';
export type { AccessDecision, AccessQuestion } from './control-plane/known-access.js';
export {
  AccessDeniedError,
  AccessUnknownError,
  ControlPlaneRejectedError,
  ControlPlaneUnavailableError,
} from './control-plane/control-plane.errors.js';

export { parseNamespaceId, type NamespaceId } from '@palisade/domain';
export { type Clock, SYSTEM_CLOCK, type Timer } from '@palisade/async';
export { ownTenant, type TenantNamespace } from './tenant-namespace.js';
export { TenantSecrets } from './tenant-secrets.js';
