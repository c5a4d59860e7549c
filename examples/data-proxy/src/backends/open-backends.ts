import type { ConnectionDriver } from '@palisade/isolation';
import { BACKENDS, type Backend } from '../settings-file.js';
import type { BackendOptions } from './backend-options.js';
import { BackendWatch } from './backend-watch.js';
import { openKafka } from './kafka-backend.js';
import { openNats } from './nats-backend.js';
import { openPostgres } from './postgres-backend.js';
import { openRedis } from './redis-backend.js';

/** The backends that this proxy serves. */
export interface Backends {
  readonly drivers: Readonly<Record<string, ConnectionDriver<unknown>>>;
  /** Knows which of them are unreachable. */
  readonly watch: BackendWatch;
  /** Stops what was started for them. */
  close(): Promise<void>;
}

/**
 * Creates a driver for each backend that the environment names, or for an embedded PostgreSQL when it names none. Provisions
 * the backends first if the configuration says so.
 */
export async function openBackends(options: BackendOptions): Promise<Backends> {
  const postgres = await openPostgres(options);
  const close = async (): Promise<void> => await postgres?.embedded?.stop();
  try {
    return { ...(await openOthers(options, postgres?.driver)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openOthers(
  options: BackendOptions,
  postgres: ConnectionDriver<unknown> | undefined,
): Promise<Omit<Backends, 'close'>> {
  const { logger } = options;
  const drivers = withoutMissing({
    postgres,
    redis: await openRedis(options),
    nats: openNats(options),
    kafka: await openKafka(options),
  });
  for (const name of BACKENDS.filter((each) => !Object.hasOwn(drivers, each))) {
    logger.log(`${name} is off: its routes answer 501`, 'Backends');
  }
  const watch = new BackendWatch(logger);
  for (const [name, driver] of Object.entries(drivers)) {
    watch.observe(name, driver);
  }
  return { drivers, watch };
}

function withoutMissing(
  entries: Readonly<Record<Backend, ConnectionDriver<unknown> | undefined>>,
): Backends['drivers'] {
  return Object.fromEntries(
    Object.entries(entries).flatMap(([name, driver]) => (driver === undefined ? [] : [[name, driver]])),
  );
}
