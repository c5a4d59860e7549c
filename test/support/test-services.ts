import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  findProgram,
  issueCertificate,
  provideKafkaJars,
  startKafka,
  startNats,
  startPrometheus,
  startRedis,
  variableOf,
  type KafkaBroker,
  type Server,
  type UrlServer,
} from '../../scripts/lib/test-services/for-suites.mjs';

export type { KafkaBroker, UrlServer };

/** The programs that tests may run. */
export type ProgramName =
  | 'redis-server'
  | 'nats-server'
  | 'haproxy'
  | 'nginx'
  | 'knotd'
  | 'keymgr'
  | 'knsupdate'
  | 'prometheus'
  | 'promtool'
  | 'java'
  | 'openssl';

function requireVariable(name: string, what: string): string {
  const value = process.env[name];
  if (value === undefined || value === '') {
    throw new Error(`No ${what} to test against: run npm test, which starts one, or set ${name}.`);
  }
  return value;
}

/** `redis://…` of a Redis server that all suites share: use keys and users of your own. */
export function requireRedisUrl(): string {
  return requireVariable('PALISADE_TEST_REDIS_URL', 'Redis server');
}

/** `nats://…` of a NATS server with JetStream that all suites share: use subjects and streams of your own. */
export function requireNatsUrl(): string {
  return requireVariable('PALISADE_TEST_NATS_URL', 'NATS server with JetStream');
}

/** Where the Kafka broker that all suites share listens, as lists for a client's `bootstrapBrokers`. */
export interface KafkaAddresses {
  /** Without credentials; whoever comes here may do everything. */
  readonly brokers: string[];
  /** For SCRAM users, who may do what access control lists allow them. */
  readonly saslBrokers: string[];
  /** For owners of certificates of the authority in `tlsDirectory`; the common name is the user. */
  readonly tlsBrokers: string[];
  readonly tlsDirectory: string;
}

/** The Kafka broker that all suites share: use topics, groups and users of your own. */
export function requireKafka(): KafkaAddresses {
  const what = 'Kafka broker with StandardAuthorizer';
  const list = (name: string): string[] => requireVariable(name, what).split(',');
  return {
    brokers: list('PALISADE_TEST_KAFKA_BROKERS'),
    saslBrokers: list('PALISADE_TEST_KAFKA_SASL_BROKERS'),
    tlsBrokers: list('PALISADE_TEST_KAFKA_TLS_BROKERS'),
    tlsDirectory: requireVariable('PALISADE_TEST_KAFKA_TLS_DIRECTORY', what),
  };
}

/** The file of a program. */
export function requireBinary(name: ProgramName): string {
  const path = findProgram(name);
  if (path === undefined) {
    throw new Error(
      `No ${name} to test with: run npm test, which installs it where it can, or set ${variableOf(name)}.`,
    );
  }
  return path;
}

/** A server that a suite has for itself: it may be stopped, killed and started again, on the same ports. */
export type OwnServer<S> = S & AsyncDisposable;

async function own<S extends Server>(start: (directory: string) => Promise<S>): Promise<OwnServer<S>> {
  const directory = mkdtempSync(join(process.env['PALISADE_TEST_DIRECTORY'] ?? tmpdir(), 'palisade-own-server-'));
  const removeDirectory = (): void => rmSync(directory, { recursive: true, force: true });
  try {
    const server = await start(directory);
    return Object.assign(server, {
      async [Symbol.asyncDispose](): Promise<void> {
        await server.stop('SIGKILL');
        removeDirectory();
      },
    });
  } catch (error) {
    removeDirectory();
    throw error;
  }
}

/** A Redis server of the suite's own; `args` are more arguments of redis-server. */
export function startOwnRedis(...args: string[]): Promise<OwnServer<UrlServer>> {
  return own((directory) => startRedis({ program: requireBinary('redis-server'), directory, args }));
}

/** A NATS server with JetStream of the suite's own; `args` are more arguments of nats-server. */
export function startOwnNats(...args: string[]): Promise<OwnServer<UrlServer>> {
  return own((directory) => startNats({ program: requireBinary('nats-server'), directory, args }));
}

/** A Kafka broker of the suite's own. */
export function startOwnKafka(): Promise<OwnServer<KafkaBroker>> {
  return own(async (directory) => {
    const jars = await provideKafkaJars(AbortSignal.timeout(120_000));
    return startKafka({ java: requireBinary('java'), openssl: requireBinary('openssl'), jars, directory });
  });
}

/** A Prometheus of the suite's own; `files` are contents by name, one of which is `prometheus.yaml`. */
export function startOwnPrometheus(files: Readonly<Record<string, string>>): Promise<OwnServer<UrlServer>> {
  return own((directory) => {
    Object.entries(files).forEach(([name, text]) => writeFileSync(join(directory, name), text));
    return startPrometheus({ program: requireBinary('prometheus'), directory });
  });
}

/** Contents for the TLS options of a client. */
export interface ClientCertificate {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

/** A client certificate of that common name, from the authority of the Kafka broker in `tlsDirectory`. */
export async function issueKafkaCertificate(tlsDirectory: string, name: string): Promise<ClientCertificate> {
  await issueCertificate(requireBinary('openssl'), tlsDirectory, name);
  const read = (file: string): string => readFileSync(join(tlsDirectory, file), 'utf8');
  return { ca: read('ca.pem'), cert: read(`${name}.pem`), key: read(`${name}.key`) };
}
