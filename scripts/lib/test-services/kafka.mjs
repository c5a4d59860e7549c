import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { createAuthority, issueCertificate } from './certificates.mjs';
import { startOnFreePorts } from './free-ports.mjs';
import { brokerConfig, LOGGING, READY } from './kafka-config.mjs';
import { outputOf } from './output-of.mjs';
import { Server } from './server.mjs';

const JVM = ['-Xms64m', '-Xmx256m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'];

async function createTlsFiles(openssl, directory) {
  mkdirSync(directory);
  await createAuthority(openssl, directory);
  await issueCertificate(openssl, directory, 'broker');
  const store = ['broker.key', 'broker.pem'].map((file) => readFileSync(join(directory, file), 'utf8')).join('');
  writeFileSync(join(directory, 'broker.keystore.pem'), store);
}

async function format(java, jvm, config) {
  const cluster = randomBytes(16).toString('base64url');
  const tool = [
    'kafka.tools.StorageTool',
    'format',
    '--ignore-formatted',
    `--cluster-id=${cluster}`,
    '--config',
    config,
  ];
  const { succeeded, output } = await outputOf(java, [...jvm, ...tool]);
  if (!succeeded) {
    throw new Error(`Kafka's storage could not be made with ${java}, which has to be Java 17 or later:\n${output}`);
  }
}

/**
 * Starts a Kafka broker whose files are in `directory`, which must be empty. Resolves to the Server, with its addresses:
 * at `brokers` one may do everything without credentials, `saslBrokers` want a SCRAM user, `tlsBrokers` a certificate of the
 * authority in `tlsDirectory`.
 */
export async function startKafka({ java, openssl, jars, directory }) {
  const logging = join(directory, 'log4j2.properties');
  const config = join(directory, 'server.properties');
  const tlsDirectory = join(directory, 'tls');
  const jvm = [...JVM, `-Dlog4j2.configurationFile=${logging}`, '-cp', jars.join(delimiter)];
  writeFileSync(logging, LOGGING);
  await createTlsFiles(openssl, tlsDirectory);
  return startOnFreePorts(4, async ([plain, sasl, tls, controller]) => {
    writeFileSync(config, brokerConfig({ directory, ports: { plain, sasl, tls, controller } }));
    await format(java, jvm, config);
    const server = new Server(java, [...jvm, 'kafka.Kafka', config], READY);
    await server.start();
    const [brokers, saslBrokers, tlsBrokers] = [plain, sasl, tls].map((port) => `127.0.0.1:${port}`);
    return Object.assign(server, { brokers, saslBrokers, tlsBrokers, tlsDirectory });
  });
}
