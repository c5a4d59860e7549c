import { join } from 'node:path';

/** Quiet but for the one line that says that the broker is ready. */
export const LOGGING = `
appender.console.type=Console
appender.console.name=console
appender.console.layout.type=PatternLayout
appender.console.layout.pattern=%p %c{1}: %m%n
rootLogger.level=WARN
rootLogger.appenderRef.console.ref=console
logger.ready.name=kafka.server.KafkaRaftServer
logger.ready.level=INFO
`;

/** What appears in the log when clients are served. */
export const READY = 'Kafka Server started';

const MECHANISMS = ['scram-sha-256', 'scram-sha-512'];
const SCRAM = 'org.apache.kafka.common.security.scram.ScramLoginModule required;';

/**
 * One process that is broker and controller. Whoever comes without credentials may do everything; users (SCRAM) and owners
 * of certificates may do what access control lists allow them, which is nothing at first.
 */
export function brokerConfig({ directory, ports }) {
  const { plain, sasl, tls, controller } = ports;
  const settings = {
    'process.roles': 'broker,controller',
    'node.id': 1,
    'controller.quorum.voters': `1@127.0.0.1:${controller}`,
    'controller.listener.names': 'CONTROLLER',
    listeners: [
      `PLAINTEXT://127.0.0.1:${plain}`,
      `SASL_PLAINTEXT://127.0.0.1:${sasl}`,
      `SSL://127.0.0.1:${tls}`,
      `CONTROLLER://127.0.0.1:${controller}`,
    ],
    'listener.security.protocol.map': 'CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,SASL_PLAINTEXT:SASL_PLAINTEXT,SSL:SSL',
    'inter.broker.listener.name': 'PLAINTEXT',
    'log.dirs': join(directory, 'data'),
    'authorizer.class.name': 'org.apache.kafka.metadata.authorizer.StandardAuthorizer',
    'super.users': 'User:ANONYMOUS',
    'allow.everyone.if.no.acl.found': false,
    'sasl.enabled.mechanisms': 'SCRAM-SHA-256,SCRAM-SHA-512',
    ...Object.fromEntries(MECHANISMS.map((name) => [`listener.name.sasl_plaintext.${name}.sasl.jaas.config`, SCRAM])),
    'ssl.client.auth': 'required',
    'ssl.keystore.type': 'PEM',
    'ssl.keystore.location': join(directory, 'tls/broker.keystore.pem'),
    'ssl.truststore.type': 'PEM',
    'ssl.truststore.location': join(directory, 'tls/ca.pem'),
    'ssl.principal.mapping.rules': 'RULE:^CN=([^,]+)$/$1/',
    'auto.create.topics.enable': false,
    'offsets.topic.replication.factor': 1,
    'offsets.topic.num.partitions': 1,
    'transaction.state.log.replication.factor': 1,
    'transaction.state.log.min.isr': 1,
    'transaction.state.log.num.partitions': 1,
    'group.initial.rebalance.delay.ms': 0,
    'group.min.session.timeout.ms': 1000,
    // After a kill, the next start waits until the former life of the broker counts as over.
    'broker.session.timeout.ms': 2000,
    'broker.heartbeat.interval.ms': 500,
    'num.network.threads': 2,
    'num.io.threads': 4,
    'log.cleaner.dedupe.buffer.size': 2_097_152,
    'log.cleaner.threads': 1,
  };
  return Object.entries(settings)
    .map(([key, value]) => `${key}=${value}\n`)
    .join('');
}
