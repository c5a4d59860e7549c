import { NatsProvisioner } from '@palisade/isolation/nats';
import type { ProvisioningOf } from '../config/control-plane-settings.js';
import {
  readTenantSecrets,
  TenantProvisioner,
  reasonOf,
  type ProvisioningChange,
  type ProvisioningFailure,
} from './tenant-provisioner.js';

/** Writes a key for each tenant into the file that the servers include; its owner may only use the subjects of the tenant's namespaces. */
export class NatsTenantProvisioner extends TenantProvisioner {
  override readonly backend = 'nats';
  override readonly batchSize = 1000;
  private readonly provisioner: NatsProvisioner;

  constructor(
    private readonly settings: ProvisioningOf<'nats'>,
    subjectFormat: string,
  ) {
    super();
    const { file, reloadCommand, checkCommand, monitorUrl } = settings;
    this.provisioner = new NatsProvisioner({
      subjectFormat,
      file,
      reloadCommand,
      ...(checkCommand !== undefined && { checkCommand }),
      ...(monitorUrl !== undefined && { monitorUrl }),
    });
  }

  /** What differs is not found here: the file has all tenants, and is written as a whole with each change. */
  override async verify(): Promise<readonly string[]> {
    return [];
  }

  /** Writes all tenants at once, as there is one file. */
  override async provide({ present, removed, all }: ProvisioningChange): Promise<readonly ProvisioningFailure[]> {
    try {
      const secrets = await readTenantSecrets(this.settings.tenantSecretFile);
      const tenants = all.map((tenantId) => ({ tenantId, identities: [{ nkey: secrets.natsKeyOf(tenantId).nkey }] }));
      await this.provisioner.apply({ form: 'permissions', tenants });
      return [];
    } catch (error) {
      return [...present, ...removed].map((tenant) => ({ tenant, reason: reasonOf(error) }));
    }
  }
}
