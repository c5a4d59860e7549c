export { MemoryStore } from './memory/memory-store.js';
export { DirectoryInUseError, EmbeddedPostgresUnavailableError } from './embedded/embedded.errors.js';
export {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
} from './embedded/start-embedded-postgres.js';
export { openStore, type OpenStoreOptions } from './open-store.js';
export type { PostgresOptions } from './postgres/connection/postgres-options.js';
export { PostgresStore } from './postgres/postgres-store.js';
export { parseStoreUrl, type StoreLocation } from './store-url.js';
