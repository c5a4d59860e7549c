import { KafkaDriver, KafkaProvisioner, type KafkaConnectOptions, type TenantSecrets } from '@palisade/isolation';
import type { NamespaceId } from '@palisade/domain';
import type { DataProxyConfig } from '../config/data-proxy.config.js';
import type { OpenOptions } from './open-options.js';
import { secretsOf } from './secrets-of.js';

const MECHANISM = 'SCRAM-SHA-512';

/** Undefined when Kafka is not named. With a secret, each namespace has a user of its own, whom the brokers hold to its topics. */
export async function openKafka(options: OpenOptions): Promise<KafkaDriver | undefined> {
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
    ((namespace: NamespaceId): KafkaConnectOptions => ({
      ...shared,
      sasl: {
        mechanism: MECHANISM,
        username: provisioner.usernameOf(namespace),
        password: secrets.passwordOf('kafka', namespace),
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
  { config: { kafkaTopics }, namespaces, logger }: OpenOptions,
): Promise<void> {
  const topics = kafkaTopics.map((name) => ({ name }));
  for (const namespace of namespaces) {
    // Without users of their own, the topics are what there is to make.
    await provisioner.apply(namespace, {
      topics,
      mechanism: MECHANISM,
      ...(secrets && { password: secrets.passwordOf('kafka', namespace) }),
    });
  }
  logger.log(`Kafka is provisioned for ${namespaces.length} namespaces`, 'Backends');
}
