import { parseNamespaceId, type NamespaceId, type TenantId } from '@palisade/domain';
import { RedisProvisioner } from '@palisade/isolation/redis';
import type { ProvisioningOf } from '../config/control-plane-settings.js';
import { readSecretFile, readTenantSecrets, SingleTenantProvisioner } from './tenant-provisioner.js';

/** An ACL user `tenant-<id>` for each tenant, for its keys and channels. The keys of a removed tenant are kept. */
export class RedisTenantProvisioner extends SingleTenantProvisioner {
  override readonly backend = 'redis';

  constructor(
    private readonly settings: ProvisioningOf<'redis'>,
    private readonly keyFormat: string,
  ) {
    super();
  }

  protected override async apply(tenant: TenantId): Promise<void> {
    const namespace = parseNamespaceId(tenant);
    await (await this.connect()).apply(namespace, await this.passwordOf(namespace));
  }

  protected override async remove(tenant: TenantId): Promise<void> {
    await (await this.connect()).remove(parseNamespaceId(tenant));
  }

  override async verify(tenant: TenantId): Promise<readonly string[]> {
    const namespace = parseNamespaceId(tenant);
    return (await this.connect()).verify(namespace, await this.passwordOf(namespace));
  }

  private async passwordOf(namespace: NamespaceId): Promise<string> {
    return (await readTenantSecrets(this.settings.tenantSecretFile)).passwordOf('redis', namespace);
  }

  private async connect(): Promise<RedisProvisioner> {
    const { adminUrlFile, savesAclFile } = this.settings;
    const config = { url: await readSecretFile(adminUrlFile) };
    return new RedisProvisioner({ config, keyFormat: this.keyFormat, savesAclFile });
  }
}
