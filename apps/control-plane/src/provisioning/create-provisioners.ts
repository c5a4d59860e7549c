import { createHash } from 'node:crypto';
import type { BackendSettings, ControlPlaneSettings } from '../config/control-plane-settings.js';
import type { ProvisionedBackend } from './backend-provisioning.js';
import { KafkaTenantProvisioner } from './kafka.provisioner.js';
import { NatsTenantProvisioner } from './nats.provisioner.js';
import { PostgresTenantProvisioner } from './postgres.provisioner.js';
import { RedisTenantProvisioner } from './redis.provisioner.js';
import type { TenantProvisioner } from './tenant-provisioner.js';

/** One provisioner for each backend that the control plane administers. */
export function createProvisioners({ backends }: Pick<ControlPlaneSettings, 'backends'>): ProvisionedBackend[] {
  return [...backends.values()].flatMap((settings) => {
    const provisioner = createProvisioner(settings);
    return provisioner === undefined ? [] : [{ provisioner, settingsDigest: digest(settings) }];
  });
}

/** Undefined when the backend belongs to a single tenant. */
function createProvisioner({ isolation, provisioning }: BackendSettings): TenantProvisioner | undefined {
  if (provisioning === undefined || isolation.type === 'physical') {
    return undefined;
  }
  if (isolation.type === 'row_level_security') {
    return provisioning.kind === 'postgres'
      ? new PostgresTenantProvisioner(provisioning, isolation.tenantColumn)
      : undefined;
  }
  switch (provisioning.kind) {
    case 'postgres':
      return undefined;
    case 'redis':
      return new RedisTenantProvisioner(provisioning, isolation.format);
    case 'nats':
      return new NatsTenantProvisioner(provisioning, isolation.format);
    case 'kafka':
      return new KafkaTenantProvisioner(provisioning, isolation.format);
    default:
      return provisioning satisfies never;
  }
}

/** Differs when tenants have to be provisioned again, although their settings are the same. */
const VERSION = 2;

function digest({ isolation, provisioning }: BackendSettings): string {
  return createHash('sha256')
    .update(JSON.stringify([VERSION, isolation, provisioning]))
    .digest('hex')
    .slice(0, 16);
}
