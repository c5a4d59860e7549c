import { ownTenant, type TenantNamespace, type TenantSecrets } from '@palisade/isolation';
import { KafkaDriver, KafkaProvisioner, type KafkaConnectOptions } from '@palisade/isolation/kafka';
import type { DataProxyConfig } from '../data-proxy.config.js';
import { secretsOf, type BackendOptions } from './backend-options.js';

const MECHANISM = 'SCRAM-SHA-512';

/** Undefined when Kafka is not configured. With a secret, each tenant has its own user, which the brokers restrict to its topics. */
export async function openKafka(options: BackendOptions): Promise<KafkaDriver | undefined> {
  const { kafkaBrokers: brokers, kafkaTls, provision } = options.config;
  if (brokers === undefined) {
    return undefined;
  }
  const shared: KafkaConnectOptions = { brokers, ...(kafkaTls && { tls: {} }), ...loginOf(options.config) };
  const secrets = secretsOf(options.config);
  const provisioner = createProvisioner(options.config, shared);
  if (provision) {
    await provisionAll(provisioner, secrets, options);
  }
  const config =
    secrets &&
    (({ tenantId }: TenantNamespace): KafkaConnectOptions => ({
      ...shared,
      sasl: {
        mechanism: MECHANISM,
        username: provisioner.usernameOf(tenantId),
        password: secrets.passwordOf('kafka', tenantId),
      },
    }));
  return new KafkaDriver({ config: config ?? shared });
}

function loginOf({ kafkaUser: username, kafkaPassword: password }: DataProxyConfig): Pick<KafkaConnectOptions, 'sasl'> {
  return username === undefined || password === undefined ? {} : { sasl: { mechanism: MECHANISM, username, password } };
}

function createProvisioner({ kafkaAdminBrokers }: DataProxyConfig, shared: KafkaConnectOptions): KafkaProvisioner {
  return new KafkaProvisioner({ config: { ...shared, ...(kafkaAdminBrokers && { brokers: kafkaAdminBrokers }) } });
}

async function provisionAll(
  provisioner: KafkaProvisioner,
  secrets: TenantSecrets | undefined,
  { config: { kafkaTopics }, namespaces, logger }: BackendOptions,
): Promise<void> {
  const topics = kafkaTopics.map((name) => ({ name }));
  for (const tenantId of namespaces.map(ownTenant)) {
    // Without a secret, tenants have no users of their own: only topics are created.
    await provisioner.apply(tenantId, {
      topics,
      mechanism: MECHANISM,
      ...(secrets && { password: secrets.passwordOf('kafka', tenantId) }),
    });
  }
  logger.log(`Kafka is provisioned for ${namespaces.length} namespaces`, 'Backends');
}
