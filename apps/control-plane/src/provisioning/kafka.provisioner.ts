import type { TenantId } from '@palisade/domain';
import { KafkaProvisioner, type KafkaConnectOptions, type KafkaLogin } from '@palisade/isolation/kafka';
import type { ProvisioningOf } from '../config/control-plane-settings.js';
import { readSecretFile, readTenantSecrets, SingleTenantProvisioner } from './tenant-provisioner.js';

/** A SCRAM user `tenant-<id>` for each tenant, with ACLs for the prefix that all of its namespaces have in common. The topics of a removed tenant are kept. */
export class KafkaTenantProvisioner extends SingleTenantProvisioner {
  override readonly backend = 'kafka';

  constructor(
    private readonly settings: ProvisioningOf<'kafka'>,
    private readonly topicFormat: string,
  ) {
    super();
  }

  protected override async apply(tenant: TenantId): Promise<void> {
    const password = (await readTenantSecrets(this.settings.tenantSecretFile)).passwordOf('kafka', tenant);
    await (await this.connect()).apply(tenant, { password });
  }

  protected override async remove(tenant: TenantId): Promise<void> {
    await (await this.connect()).remove(tenant);
  }

  override async verify(tenant: TenantId): Promise<readonly string[]> {
    return (await this.connect()).verify(tenant);
  }

  private async connect(): Promise<KafkaProvisioner> {
    return new KafkaProvisioner({
      config: parseKafkaUrl(await readSecretFile(this.settings.adminUrlFile)),
      separation: { type: 'topic_prefix', format: this.topicFormat },
    });
  }
}

const MECHANISMS = ['SCRAM-SHA-512', 'SCRAM-SHA-256', 'PLAIN'] as const;

/**
 * Parses how to connect to a cluster: `kafka://user:password@host:9092,host:9092`, or `kafkas://` for TLS; the query
 * parameter `mechanism` is the SASL mechanism, by default `SCRAM-SHA-512`.
 *
 * @throws {SyntaxError} when the text is invalid; the message does not quote it, as it holds a password
 */
export function parseKafkaUrl(text: string): KafkaConnectOptions {
  const match = /^kafka(s?):\/\/(?:([^:@/]+):([^@/]+)@)?([^/?#@]+)\/?(?:\?mechanism=([A-Z0-9-]+))?$/.exec(text);
  if (match === null) {
    throw new SyntaxError('expected kafka://user:password@host:port,host:port');
  }
  const [, isSecure, username, password, brokers = '', mechanism = MECHANISMS[0]] = match;
  return {
    brokers: brokers.split(','),
    ...(isSecure === 's' && { tls: {} }),
    ...(username !== undefined && password !== undefined && { sasl: login(mechanism, username, password) }),
  };
}

function login(name: string, username: string, password: string): KafkaLogin {
  const mechanism = MECHANISMS.find((known) => known === name);
  if (mechanism === undefined) {
    throw new SyntaxError(`mechanism: expected one of ${MECHANISMS.join(', ')}`);
  }
  return { mechanism, username: decodeURIComponent(username), password: decodeURIComponent(password) };
}
