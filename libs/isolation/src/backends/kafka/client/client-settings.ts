import type { NamespaceId } from '@palisade/domain';
import type { BaseOptions } from '@platformatic/kafka';
import type { KafkaConnectOptions } from '../kafka-options.js';

export interface KafkaTimings {
  /** How long a broker may take to answer a request. Default 10,000. */
  readonly requestTimeoutMs: number;
  /** How long producing may take with all its attempts, before the connection is given up. Default 30,000. */
  readonly deliveryTimeoutMs: number;
  /** How long a consumer or a transaction may be without any broker before it ends. Default 15,000. */
  readonly outageTimeoutMs: number;
  /** How long leaving a group and closing may take before sockets are just closed. Default 5,000. */
  readonly closeTimeoutMs: number;
}

export const DEFAULT_TIMINGS: KafkaTimings = {
  requestTimeoutMs: 10_000,
  deliveryTimeoutMs: 30_000,
  outageTimeoutMs: 15_000,
  closeTimeoutMs: 5_000,
};

/** An interruption of three seconds is bridged; after a longer one whoever waits is told. */
const RETRIES = 5;
/** Of a consumer, for whom nobody waits, and who would lose its place. */
export const CONSUMER_RETRIES = 20;
const FIRST_RETRY_DELAY_MS = 100;
const MAX_RETRY_DELAY_MS = 2_000;

const METADATA_MAX_AGE_MS = 60_000;

/** What the clients of a connection have in common. */
export function clientSettings(
  connect: KafkaConnectOptions,
  namespace: NamespaceId,
  timings: KafkaTimings,
): BaseOptions {
  const { brokers, tls, sasl, clientId = `palisade.${namespace}` } = connect;
  return {
    clientId,
    bootstrapBrokers: [...brokers],
    tls,
    sasl,
    connectTimeout: timings.requestTimeoutMs,
    requestTimeout: timings.requestTimeoutMs,
    timeout: timings.requestTimeoutMs,
    retries: RETRIES,
    retryDelay: (_client, _operation, attempt) =>
      Math.min(FIRST_RETRY_DELAY_MS * 2 ** (attempt - 1), MAX_RETRY_DELAY_MS),
    metadataMaxAge: METADATA_MAX_AGE_MS,
    // Whoever may write to a topic that is not there would make one, with the broker's defaults.
    autocreateTopics: false,
  };
}
