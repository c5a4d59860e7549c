import type { Store } from '@palisade/domain';
import { startEmbeddedPostgres, type EmbeddedPostgres } from './embedded/start-embedded-postgres.js';
import { MemoryStore } from './memory/memory-store.js';
import type { PostgresOptions } from './postgres/connection/create-pool.js';
import { PostgresStore } from './postgres/postgres-store.js';

export interface OpenStoreOptions extends PostgresOptions {
  /** Told in one sentence when an embedded server crashed, was restarted, or could not be. */
  readonly onServerEvent?: (message: string) => void;
}

/**
 * Opens the store that a URL names; call `migrate` before use. `memory:` keeps everything in this process,
 * `postgres://user:password@host:port/database` uses that database, and `embedded:<directory>` runs a PostgreSQL server
 * of its own over that directory until the store is closed.
 *
 * @throws {Error} when the URL is none of these; the message never repeats it, since it may hold a password
 * @throws {EmbeddedPostgresUnavailableError} {@link DirectoryInUseError} see `startEmbeddedPostgres`
 */
export async function openStore(url: string, options: OpenStoreOptions = {}): Promise<Store> {
  const [, scheme = '', rest = ''] = /^([a-z][a-z0-9+.-]*):(.*)$/is.exec(url) ?? [];
  switch (scheme.toLowerCase()) {
    case 'memory':
      return new MemoryStore();
    case 'postgres':
    case 'postgresql':
      return openPostgresStore(url, options);
    case 'embedded':
      return openEmbeddedStore(rest, options);
    default:
      throw new Error(
        'store URL: expected memory:, postgres://… or embedded:<directory>, ' +
          `found ${scheme === '' ? 'no scheme' : `the scheme "${scheme.slice(0, 40)}:"`}`,
      );
  }
}

function openPostgresStore(url: string, options: OpenStoreOptions): Store {
  if (!URL.canParse(url) || !/^postgres(ql)?:\/\//i.test(url)) {
    throw new Error(
      'store URL: expected postgres://user:password@host:port/database; ' +
        'characters such as "/", "@" and "#" in user or password must be percent-encoded',
    );
  }
  return new PostgresStore(url, options);
}

async function openEmbeddedStore(directory: string, options: OpenStoreOptions): Promise<Store> {
  if (directory === '') {
    throw new Error('store URL: expected a directory behind "embedded:"');
  }
  const server = await startEmbeddedPostgres({ directory, onEvent: options.onServerEvent });
  return new EmbeddedPostgresStore(server, options);
}

/** Owns the server that it stores in. */
class EmbeddedPostgresStore extends PostgresStore {
  constructor(
    private readonly server: EmbeddedPostgres,
    options: PostgresOptions,
  ) {
    super(server.url, options);
  }

  override async close(): Promise<void> {
    await super.close();
    await this.server.stop();
  }
}
