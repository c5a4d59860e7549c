import { Store } from '@palisade/domain';
import { PostgresAuditStore } from './audit/postgres-audit-store.js';
import { PostgresBindingStore } from './bindings/postgres-binding-store.js';
import { createPool, type PostgresOptions } from './connection/create-pool.js';
import { Database } from './connection/database.js';
import { PostgresDirectoryStore } from './directory/postgres-directory-store.js';
import { PostgresProviderStore } from './providers/postgres-provider-store.js';
import { migrateSchema, requireSchema } from './schema/migrations.js';

/**
 * A store in a PostgreSQL database (version 14 or later, encoding UTF8), which any number of processes may share.
 *
 * Connections are made when they are needed: a server that is down, full or restarting makes operations fail with
 * {@link StoreUnavailableError}, and once it is back they succeed again.
 */
export class PostgresStore extends Store {
  override readonly directory: PostgresDirectoryStore;
  override readonly bindings: PostgresBindingStore;
  override readonly providers: PostgresProviderStore;
  override readonly audit: PostgresAuditStore;
  private readonly database: Database;

  /** @param url `postgres://user:password@host:port/database`; the role must own the schema that it migrates */
  constructor(
    private readonly url: string,
    private readonly options: PostgresOptions = {},
  ) {
    super();
    this.database = new Database(createPool(url, options));
    this.directory = new PostgresDirectoryStore(this.database);
    this.bindings = new PostgresBindingStore(this.database);
    this.providers = new PostgresProviderStore(this.database);
    this.audit = new PostgresAuditStore(this.database);
  }

  override migrate(): Promise<void> {
    return migrateSchema(this.url, this.options);
  }

  override check(): Promise<void> {
    return this.database.run(requireSchema);
  }

  override close(): Promise<void> {
    return this.database.close();
  }
}
