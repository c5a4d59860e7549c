/**
 * `@palisade/isolation/postgres`: the pools and what there is for PostgreSQL, without Nest and without the drivers of other
 * backends, for programs that need nothing else.
 */
export { NamespacePools } from './pools/namespace-pools.js';
export type { Lease } from './pools/lease.js';
export type { PoolsOptions } from './pools/pool-options.js';
export type { PoolSnapshot, PoolsSnapshot } from './pools/pool-snapshot.js';
export { BackendUnavailableError, PoolClosedError, PoolExhaustedError, PoolTimeoutError } from './pools/pool.errors.js';
export { PostgresDriver, type PostgresDriverOptions } from './backends/postgres/postgres-driver.js';
