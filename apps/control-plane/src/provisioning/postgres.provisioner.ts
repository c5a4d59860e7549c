import { parseNamespaceId, type NamespaceId, type TenantId } from '@palisade/domain';
import { PostgresProvisioner } from '@palisade/isolation/postgres';
import type { ProvisioningOf } from '../config/control-plane-settings.js';
import { readSecretFile, readTenantSecrets, SingleTenantProvisioner } from './tenant-provisioner.js';

const CONNECT_TIMEOUT_MS = 10_000;
/** Changing policies of large tables waits for running statements. */
const STATEMENT_TIMEOUT_MS = 60_000;

/** A role `tenant_<id>` for each tenant, and row-level security on the tables. The rows of a removed tenant are kept. */
export class PostgresTenantProvisioner extends SingleTenantProvisioner {
  override readonly backend = 'postgres';

  constructor(
    private readonly settings: ProvisioningOf<'postgres'>,
    private readonly tenantColumn: string,
  ) {
    super();
  }

  protected override async apply(tenant: TenantId): Promise<void> {
    const namespace = parseNamespaceId(tenant);
    await (await this.connect()).provision(namespace, await this.credentialsOf(namespace));
  }

  protected override async remove(tenant: TenantId): Promise<void> {
    await (await this.connect()).remove(parseNamespaceId(tenant), { rows: 'keep' });
  }

  override async verify(tenant: TenantId): Promise<readonly string[]> {
    const namespace = parseNamespaceId(tenant);
    return (await this.connect()).verify(namespace, await this.credentialsOf(namespace));
  }

  private async credentialsOf(namespace: NamespaceId): Promise<{ readonly password: string }> {
    return { password: (await readTenantSecrets(this.settings.tenantSecretFile)).passwordOf('postgres', namespace) };
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
