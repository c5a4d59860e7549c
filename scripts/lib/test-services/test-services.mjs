import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { startTestPostgres } from '../test-postgres.mjs';
import { needsMaven, provideKafkaJars } from './kafka-jars.mjs';
import { startKafka } from './kafka.mjs';
import { locatePrograms } from './locate-programs.mjs';
import { startNats } from './nats.mjs';
import { MAVEN, PROGRAMS, variableOf } from './programs.mjs';
import { startRedis } from './redis.mjs';

const NOTHING = { env: {}, stop: async () => {} };

/** Each starter resolves to `env` (what suites are told) and `stop()`. */
const STARTERS = {
  async postgres() {
    const { url, stop } = await startTestPostgres();
    return { env: { PALISADE_TEST_POSTGRES_URL: url }, stop };
  },

  async redis(directory, { paths }) {
    if (process.env.PALISADE_TEST_REDIS_URL) {
      return NOTHING;
    }
    const server = await startRedis({ program: paths.get('redis-server'), directory });
    return { env: { PALISADE_TEST_REDIS_URL: server.url }, stop: () => server.stop() };
  },

  async nats(directory, { paths }) {
    if (process.env.PALISADE_TEST_NATS_URL) {
      return NOTHING;
    }
    const server = await startNats({ program: paths.get('nats-server'), directory });
    return { env: { PALISADE_TEST_NATS_URL: server.url }, stop: () => server.stop() };
  },

  async kafka(directory, { paths, kafkaJars }) {
    if (process.env.PALISADE_TEST_KAFKA_BROKERS) {
      return NOTHING;
    }
    const broker = await startKafka({
      java: paths.get('java'),
      openssl: paths.get('openssl'),
      jars: kafkaJars,
      directory,
    });
    const env = {
      PALISADE_TEST_KAFKA_BROKERS: broker.brokers,
      PALISADE_TEST_KAFKA_SASL_BROKERS: broker.saslBrokers,
      PALISADE_TEST_KAFKA_TLS_BROKERS: broker.tlsBrokers,
      PALISADE_TEST_KAFKA_TLS_DIRECTORY: broker.tlsDirectory,
    };
    return { env, stop: () => broker.stop() };
  },
};

/** Makes available what servers are started from. @throws {Error} that says what is missing and how to get it */
export async function prepareTestServices(signal) {
  const programs = await locatePrograms(needsMaven() ? [...PROGRAMS, MAVEN] : PROGRAMS);
  try {
    signal.throwIfAborted();
    return { ...programs, kafkaJars: await provideKafkaJars(signal) };
  } catch (error) {
    await programs.remove();
    throw error;
  }
}

/** So that a suite's helpers find the same programs as we did, also those in containers, and leave no files behind. */
function helperEnv({ paths }, directory) {
  const programs = [...paths].map(([name, path]) => [variableOf(name), path]);
  return { ...Object.fromEntries(programs), PALISADE_TEST_DIRECTORY: directory };
}

function removeDirectory(directory) {
  // Suites that were interrupted may have servers of their own, which end about now.
  rmSync(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}

/**
 * Starts the servers that contract and end-to-end tests share, those that a variable names excepted, side by side.
 * Resolves to `env`, the variables that tell suites about them, and stop(), which also removes their files.
 */
export async function startTestServices(prepared) {
  const directory = mkdtempSync(join(tmpdir(), 'palisade-services-'));
  const starts = Object.entries(STARTERS).map(([name, start]) => {
    const own = join(directory, name);
    mkdirSync(own);
    return start(own, prepared);
  });
  const results = await Promise.allSettled(starts);
  const services = results.filter(({ status }) => status === 'fulfilled').map(({ value }) => value);
  const stop = async () => {
    const stops = await Promise.allSettled(services.map((service) => service.stop()));
    await prepared.remove();
    removeDirectory(directory);
    const failed = stops.find(({ status }) => status === 'rejected');
    if (failed !== undefined) {
      throw failed.reason;
    }
  };
  const failed = results.find(({ status }) => status === 'rejected');
  if (failed !== undefined) {
    await stop();
    throw failed.reason;
  }
  return { env: Object.assign(helperEnv(prepared, directory), ...services.map(({ env }) => env)), stop };
}
