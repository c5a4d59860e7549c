import type { Store } from '@palisade/domain';
import { startEmbeddedPostgres, type EmbeddedPostgres } from './embedded/start-embedded-postgres.js';
import { MemoryStore } from './memory/memory-store.js';
import type { PostgresOptions } from './postgres/connection/postgres-options.js';
import { PostgresStore } from './postgres/postgres-store.js';
import { parseStoreUrl } from './store-url.js';

export interface OpenStoreOptions extends PostgresOptions {
  /** Called with one sentence when an embedded server crashes, is restarted, or cannot be restarted. */
  readonly onServerEvent?: (message: string) => void;
}

/**
 * Opens the store that a URL names; call `migrate` before use. `memory:` keeps everything in this process,
 * `postgres://user:password@host:port/database` uses that database, and `embedded:<directory>` runs a PostgreSQL server
 * of its own over that directory until the store is closed.
 *
 * @throws {SyntaxError} for any other URL, see `parseStoreUrl`
 * @throws {EmbeddedPostgresUnavailableError} {@link DirectoryInUseError} see `startEmbeddedPostgres`
 */
export async function openStore(url: string, options: OpenStoreOptions = {}): Promise<Store> {
  const location = parseStoreUrl(url);
  switch (location.kind) {
    case 'memory':
      return new MemoryStore();
    case 'postgres':
      return new PostgresStore(location.url, options);
    case 'embedded':
      return openEmbeddedStore(location.directory, options);
  }
}

async function openEmbeddedStore(directory: string, options: OpenStoreOptions): Promise<Store> {
  const server = await startEmbeddedPostgres({ directory, onEvent: options.onServerEvent });
  return new EmbeddedPostgresStore(server, options);
}

/** Stops its server when it is closed. */
class EmbeddedPostgresStore extends PostgresStore {
  constructor(
    private readonly server: EmbeddedPostgres,
    options: PostgresOptions,
  ) {
    super(server.url, options);
  }

  override async close(graceMs?: number): Promise<number> {
    const cutOff = await super.close(graceMs);
    await this.server.stop();
    return cutOff;
  }
}
