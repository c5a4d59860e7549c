import type { TenantId } from '@palisade/domain';
import { PostgresProvisioner } from '@palisade/isolation/postgres';
import type { ProvisioningOf } from '../config/control-plane-settings.js';
import { readSecretFile, readTenantSecrets, SingleTenantProvisioner } from './tenant-provisioner.js';

const CONNECT_TIMEOUT_MS = 10_000;
/** Changing policies of large tables waits for running statements. */
const STATEMENT_TIMEOUT_MS = 60_000;

/** A role `tenant_<id>` for each tenant, whatever its namespaces, and row-level security on the tables. The rows of a removed tenant are kept. */
export class PostgresTenantProvisioner extends SingleTenantProvisioner {
  override readonly backend = 'postgres';

  constructor(
    private readonly settings: ProvisioningOf<'postgres'>,
    private readonly tenantColumn: string,
  ) {
    super();
  }

  protected override async apply(tenant: TenantId): Promise<void> {
    await (await this.connect()).provision(tenant, await this.credentialsOf(tenant));
  }

  protected override async remove(tenant: TenantId): Promise<void> {
    await (await this.connect()).remove(tenant, { rows: 'keep' });
  }

  override async verify(tenant: TenantId): Promise<readonly string[]> {
    return (await this.connect()).verify(tenant, await this.credentialsOf(tenant));
  }

  private async credentialsOf(tenant: TenantId): Promise<{ readonly password: string }> {
    return { password: (await readTenantSecrets(this.settings.tenantSecretFile)).passwordOf('postgres', tenant) };
  }

  private async connect(): Promise<PostgresProvisioner> {
    const { settings, tenantColumn } = this;
    const config = {
      connectionString: await readSecretFile(settings.adminUrlFile),
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: STATEMENT_TIMEOUT_MS,
      application_name: 'control-plane provisioning',
    };
    return new PostgresProvisioner({ config, tables: settings.tables, tenantColumn, login: { mode: 'role' } });
  }
}
