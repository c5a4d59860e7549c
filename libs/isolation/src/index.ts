export { IsolationModule } from './isolation.module.js';
export { ISOLATION_OPTIONS, type IsolationOptions } from './isolation-options.js';
export { Isolation } from './isolation.js';
export type { IsolationCaller, RunOptions } from './front-door/caller.js';
export { IsolationClosedError } from './front-door/isolation-closed.error.js';
export { SessionRequiredError } from './front-door/session-required.error.js';
export { IsolationPools, type BackendPoolSnapshot } from './isolation-pools.js';
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
export { SessionBusyError } from './sessions/errors/session-busy.error.js';
export { SessionEndedError } from './sessions/errors/session-ended.error.js';
export { SessionLimitError } from './sessions/errors/session-limit.error.js';
export { SessionNotFoundError } from './sessions/errors/session-not-found.error.js';
export { SessionsClosedError } from './sessions/errors/sessions-closed.error.js';

export { PostgresDriver, type PostgresDriverOptions } from './backends/postgres/postgres-driver.js';
export type {
  PhysicalSeparation,
  PostgresSeparation,
  RowLevelSecuritySeparation,
} from './backends/postgres/separation.js';
export { ScopedPostgres } from './backends/postgres/scoped/scoped-postgres.js';
export type { PostgresTransaction, StreamOptions } from './backends/postgres/scoped/postgres-transaction.js';
export type { PostgresResult, QueryOptions } from './backends/postgres/scoped/statement-scope.js';
export {
  preflightRowLevelSecurity,
  type PreflightOptions,
  type PreflightReport,
} from './backends/postgres/row-level-security/preflight.js';
export {
  PostgresProvisioner,
  type PostgresProvisionerOptions,
  type Provisioned,
  type Removed,
} from './backends/postgres/provisioning/postgres-provisioner.js';
export type { TablePrivilege } from './backends/postgres/provisioning/plan-grants.js';
export type { TenantLogin } from './backends/postgres/provisioning/tenant-policy.js';
export { InvalidStatementError } from './backends/postgres/errors/invalid-statement.error.js';
export { RowLevelSecurityError } from './backends/postgres/errors/row-level-security.error.js';
export { RowLimitError } from './backends/postgres/errors/row-limit.error.js';
export { TransactionFailedError } from './backends/postgres/errors/transaction-failed.error.js';
export { RedisDriver, type RedisDriverOptions } from './backends/redis/redis-driver.js';
export type { RedisConnection } from './backends/redis/redis-connection.js';
export type { RedisConnectOptions } from './backends/redis/redis-options.js';
export { ScopedRedis } from './backends/redis/scoped-redis.js';
export type { RedisBatch } from './backends/redis/redis-batch.js';
export type { RedisMessage, RedisSubscription } from './backends/redis/redis-subscription.js';
export type { ScanCursor, ScanOptions, ScanPage } from './backends/redis/redis-scan.js';
export type { QueuedReply, RedisInput } from './backends/redis/commands/command-issuer.js';
export type { SetOptions } from './backends/redis/commands/key-commands.js';
export type {
  ScoredMember,
  ScoreRange,
  ScoreRangeOptions,
  SortedRangeOptions,
} from './backends/redis/commands/sorted-set-commands.js';
export {
  RedisProvisioner,
  type RedisProvisionerOptions,
  type RedisUser,
} from './backends/redis/provisioning/redis-provisioner.js';

export { NatsDriver, type NatsDriverOptions } from './backends/nats/nats-driver.js';
export type { NatsConnection } from './backends/nats/nats-connection.js';
export type { NatsConnectOptions } from './backends/nats/nats-options.js';
export { ScopedNats } from './backends/nats/scoped-nats.js';
export type {
  NatsSubscribeOptions,
  NatsSubscription,
  PublishOptions,
  RequestOptions,
} from './backends/nats/scoped-nats.js';
export type { NatsMessage, NatsPayload } from './backends/nats/nats-message.js';
export type { NatsHeaders } from './backends/nats/nats-headers.js';
export type { NatsInput } from './backends/nats/nats-scope.js';
export type {
  ScopedJetStream,
  StreamPosition,
  StreamPublishOptions,
} from './backends/nats/jetstream/scoped-jetstream.js';
export type { JetStreamMessage } from './backends/nats/jetstream/jetstream-message.js';
export type { StreamSettings, StreamState } from './backends/nats/jetstream/stream-settings.js';
export type { ConsumerSettings } from './backends/nats/jetstream/consumer-settings.js';
export type { PullOptions } from './backends/nats/jetstream/pull.js';
export {
  NatsProvisioner,
  type AppliedUsers,
  type NatsProvisionerOptions,
} from './backends/nats/provisioning/nats-provisioner.js';
export type { NatsStorageLimits, NatsTenant, NatsUserFile } from './backends/nats/provisioning/render-users.js';
export type { NatsParty } from './backends/nats/provisioning/find-leaks.js';
export type { NatsIdentity } from './backends/nats/provisioning/nats-identity.js';
export { createNatsKey, natsKeyFrom, type NatsKey } from './backends/nats/provisioning/nats-key.js';
export { ProvisioningFailedError } from './backends/nats/provisioning/provisioning-failed.error.js';

export { KafkaDriver, type KafkaDriverOptions } from './backends/kafka/kafka-driver.js';
export type { KafkaConnectOptions, KafkaLogin } from './backends/kafka/kafka-options.js';
export type {
  KafkaSeparation,
  PhysicalSeparation as KafkaPhysicalSeparation,
  TopicPrefixSeparation,
} from './backends/kafka/separation.js';
export { ScopedKafka } from './backends/kafka/scoped-kafka.js';
export type { KafkaConnection, KafkaPosition } from './backends/kafka/client/kafka-connection.js';
export type { KafkaTimings } from './backends/kafka/client/client-settings.js';
export type { KafkaData, KafkaRecord, RecordLimits } from './backends/kafka/kafka-record.js';
export type { KafkaTransaction } from './backends/kafka/kafka-transaction.js';
export type { ConsumeOptions, KafkaConsumption } from './backends/kafka/consuming/kafka-consumption.js';
export type { KafkaMessage } from './backends/kafka/consuming/kafka-message.js';
export {
  KafkaProvisioner,
  type KafkaProvisionerOptions,
  type KafkaRemoval,
} from './backends/kafka/provisioning/kafka-provisioner.js';
export type { KafkaGrants, KafkaProvisioned, KafkaTopicPlan } from './backends/kafka/provisioning/kafka-grants.js';
export type { KafkaQuotas } from './backends/kafka/provisioning/quotas.js';
export type { ScramMechanism } from './backends/kafka/provisioning/scram.js';
export { KafkaRefusedError } from './backends/kafka/errors/kafka-refused.error.js';
export { InvalidRecordError } from './backends/kafka/errors/invalid-record.error.js';
export { TooManyConsumersError } from './backends/kafka/errors/too-many-consumers.error.js';

export type { SubscribeLimits } from './backends/messages/buffered-subscription.js';
export { BackendTimeoutError } from './backends/errors/backend-timeout.error.js';
export { ConnectionLostError } from './backends/errors/connection-lost.error.js';
export { NoRespondersError } from './backends/errors/no-responders.error.js';
export { SlowConsumerError } from './backends/errors/slow-consumer.error.js';
export { InvalidNameError } from './separation/invalid-name.error.js';

export type { BackendDriver, ScopeContext, ScopedClient } from './backends/backend-driver.js';
export type { BackendDriverClass, DriverClass } from './backends/driver-class.js';
export { UnknownBackendError } from './backends/unknown-backend.error.js';

export { RequestLimiter, type RequestLimiterOptions } from './limits/request-limiter.js';
export { CpuLimitError } from './limits/cpu-limit.error.js';
export { MemoryLimitError } from './limits/memory-limit.error.js';
export { RateLimitedError } from './limits/rate-limited.error.js';
export type { NamespaceResources, ResourceLimits } from './limits/resource-limits.js';

export type { ConnectionsSnapshot } from './front-door/connection-source.js';
export { UsageService, type UsageSnapshotOptions } from './usage/usage.service.js';
export type { BackendUsage, NamespaceUsage, UsageAlert, UsageSnapshot } from './usage/namespace-usage.js';
export type { Outcome } from './usage/namespace-tally.js';
export type { UsageTotals } from './usage/usage-counters.js';
export type { EndedRun, RunListener } from './usage/usage-registry.js';
export type { UsageSettings } from './usage/usage-settings.js';
export { OTHER_NAMESPACES, registerIsolationMetrics, type IsolationMetricsOptions } from './usage/isolation-metrics.js';
export { CpuUsageUnavailableError } from './usage/cpu-usage-unavailable.error.js';

export type { ActionSink } from './audit/action-journal.js';
export type { ActionAuditSettings } from './audit/action-settings.js';
export type { AuditSink } from './audit/audit-trail.js';
export { AuditUnavailableError } from './audit/audit-unavailable.error.js';

export type { DedicatedSettings, IsolationSettings, PooledSettings } from './isolation-settings.js';
export { InvalidSettingsError } from './invalid-settings.error.js';
export { parseIsolationSettings } from './settings/parse-isolation-settings.js';
export { SYSTEM_CLOCK, type Clock, type Timer } from '@palisade/async';
export { TenantSecrets } from './separation/tenant-secrets.js';
