import type { TenantId } from '@palisade/domain';
import { RedisProvisioner } from '@palisade/isolation/redis';
import type { ProvisioningOf } from '../config/control-plane-settings.js';
import { readSecretFile, readTenantSecrets, SingleTenantProvisioner } from './tenant-provisioner.js';

/** An ACL user `tenant-<id>` for each tenant, for the keys and channels of its namespaces. The keys of a removed tenant are kept. */
export class RedisTenantProvisioner extends SingleTenantProvisioner {
  override readonly backend = 'redis';

  constructor(
    private readonly settings: ProvisioningOf<'redis'>,
    private readonly keyFormat: string,
  ) {
    super();
  }

  protected override async apply(tenant: TenantId): Promise<void> {
    await (await this.connect()).apply(tenant, await this.passwordOf(tenant));
  }

  protected override async remove(tenant: TenantId): Promise<void> {
    await (await this.connect()).remove(tenant);
  }

  override async verify(tenant: TenantId): Promise<readonly string[]> {
    return (await this.connect()).verify(tenant, await this.passwordOf(tenant));
  }

  private async passwordOf(tenant: TenantId): Promise<string> {
    return (await readTenantSecrets(this.settings.tenantSecretFile)).passwordOf('redis', tenant);
  }

  private async connect(): Promise<RedisProvisioner> {
    const { adminUrlFile, savesAclFile } = this.settings;
    const config = { url: await readSecretFile(adminUrlFile) };
    return new RedisProvisioner({ config, keyFormat: this.keyFormat, savesAclFile });
  }
}
