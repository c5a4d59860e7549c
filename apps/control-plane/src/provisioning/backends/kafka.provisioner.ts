import { parseNamespaceId, type TenantId } from '@palisade/domain';
import { KafkaProvisioner } from '@palisade/isolation';
import type { ProvisioningOf } from '../../config/control-plane-settings.js';
import { readSecretFile, readTenantSecrets } from '../secret-files.js';
import { SingleTenantProvisioner } from '../tenant-provisioner.js';
import { parseKafkaUrl } from './kafka-url.js';

/** A SCRAM user `tenant-<id>` for each tenant, with ACLs for its prefix. The topics of a removed tenant are kept. */
export class KafkaTenantProvisioner extends SingleTenantProvisioner {
  override readonly backend = 'kafka';

  constructor(
    private readonly settings: ProvisioningOf<'kafka'>,
    private readonly topicFormat: string,
  ) {
    super();
  }

  protected override async apply(tenant: TenantId): Promise<void> {
    const namespace = parseNamespaceId(tenant);
    const password = (await readTenantSecrets(this.settings.tenantSecretFile)).passwordOf('kafka', namespace);
    await (await this.connect()).apply(namespace, { password });
  }

  protected override async remove(tenant: TenantId): Promise<void> {
    await (await this.connect()).remove(parseNamespaceId(tenant));
  }

  private async connect(): Promise<KafkaProvisioner> {
    return new KafkaProvisioner({
      config: parseKafkaUrl(await readSecretFile(this.settings.adminUrlFile)),
      separation: { type: 'topic_prefix', format: this.topicFormat },
    });
  }
}
