/**
 * `@palisade/isolation/postgres`: the pools and what there is for PostgreSQL, without Nest and without the drivers of other
 * backends, for programs that need nothing else.
 */
export { parseNamespaceId, type NamespaceId } from '@palisade/domain';
export { NamespacePools } from './pools/namespace-pools.js';
export type { Lease } from './pools/lease.js';
export type { PoolsOptions } from './pools/pool-options.js';
export type { PoolSnapshot, PoolsSnapshot } from './pools/pool-snapshot.js';
export { BackendUnavailableError, PoolClosedError, PoolExhaustedError, PoolTimeoutError } from './pools/pool.errors.js';
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
  type PreflightOptions,
  type PreflightReport,
  preflightRowLevelSecurity,
} from './backends/postgres/row-level-security/preflight.js';
export {
  PostgresProvisioner,
  type PostgresProvisionerOptions,
  type Provisioned,
  type Removed,
} from './backends/postgres/provisioning/postgres-provisioner.js';
export type { TablePrivilege } from './backends/postgres/provisioning/plan-grants.js';
export type { TenantLogin } from './backends/postgres/provisioning/plan-tables.js';
export {
  InvalidStatementError,
  RowLevelSecurityError,
  RowLimitError,
  TransactionFailedError,
} from './backends/postgres/postgres.errors.js';
