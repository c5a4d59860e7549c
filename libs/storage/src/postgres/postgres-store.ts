import { Store, type OperationListener, type StoreConnections } from '@palisade/domain';
import { PostgresLogStore } from './log/postgres-log-store.js';
import { PostgresBindingStore } from './bindings/postgres-binding-store.js';
import { Database } from './connection/database.js';
import type { PostgresOptions } from './connection/postgres-options.js';
import { PostgresDirectoryStore } from './directory/postgres-directory-store.js';
import { PostgresCapStore } from './tenancy/postgres-cap-store.js';
import { PostgresUsageStore } from './tenancy/postgres-usage-store.js';
import { PostgresLeaseStore } from './tenancy/postgres-lease-store.js';
import { PostgresOperationsStore } from './tenancy/postgres-operations-store.js';
import { PostgresProviderStore } from './postgres-provider-store.js';
import { PostgresProxyStore } from './tenancy/postgres-proxy-store.js';
import { migrateSchema, requireSchema } from './schema/migrations.js';
import { PostgresTenantStore } from './tenancy/postgres-tenant-store.js';

/**
 * A store in a PostgreSQL database (version 14 or later, encoding UTF8), which any number of processes may share.
 *
 * Connections are opened when needed. While the server is down, full or restarting, operations fail with
 * {@link StoreUnavailableError}; once it is back they succeed again.
 */
export class PostgresStore extends Store {
  override readonly directory: PostgresDirectoryStore;
  override readonly bindings: PostgresBindingStore;
  override readonly providers: PostgresProviderStore;
  override readonly tenants: PostgresTenantStore;
  override readonly proxies: PostgresProxyStore;
  override readonly caps: PostgresCapStore;
  override readonly usage: PostgresUsageStore;
  override readonly leases: PostgresLeaseStore;
  override readonly operations: PostgresOperationsStore;
  override readonly log: PostgresLogStore;
  private readonly database: Database;

  /** @param url `postgres://user:password@host:port/database`; the role must own the schema that it migrates */
  constructor(
    private readonly url: string,
    private readonly options: PostgresOptions = {},
  ) {
    super();
    this.database = new Database(url, options);
    this.directory = new PostgresDirectoryStore(this.database);
    this.bindings = new PostgresBindingStore(this.database);
    this.providers = new PostgresProviderStore(this.database);
    this.tenants = new PostgresTenantStore(this.database);
    this.proxies = new PostgresProxyStore(this.database);
    this.caps = new PostgresCapStore(this.database);
    this.usage = new PostgresUsageStore(this.database);
    this.leases = new PostgresLeaseStore(this.database);
    this.operations = new PostgresOperationsStore(this.database);
    this.log = new PostgresLogStore(this.database);
  }

  override migrate(): Promise<void> {
    return migrateSchema(this.url, this.options);
  }

  override async check(): Promise<void> {
    this.database.requireAnswers();
    await this.database.run(requireSchema);
  }

  override connections(): StoreConnections {
    return this.database.connections();
  }

  override writesFailingSince(): Date | undefined {
    return this.database.writesFailingSince();
  }

  override onOperationEnded(listener: OperationListener): void {
    this.database.onOperationEnded(listener);
  }

  override close(graceMs?: number): Promise<number> {
    return this.database.close(graceMs);
  }
}
