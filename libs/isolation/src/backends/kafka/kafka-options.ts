import type { ConnectionOptions as TlsOptions } from 'node:tls';
import type { BaseOptions } from '@platformatic/kafka';
import type { Credentials } from '../../pools/connection-driver.js';
import { isText } from '../passwords.js';

/** The login. The password of PLAIN crosses the network as it is: use it with TLS. */
export type KafkaLogin =
  | {
      readonly mechanism: 'SCRAM-SHA-256' | 'SCRAM-SHA-512' | 'PLAIN';
      readonly username: string;
      readonly password: string;
    }
  | { readonly mechanism: 'OAUTHBEARER'; readonly token: string | (() => string | Promise<string>) };

/** How to connect to a Kafka cluster: addresses, login and TLS. */
export interface KafkaConnectOptions {
  /** `host:port` of some brokers; the others are found through them. */
  readonly brokers: readonly string[];
  /** Present: TLS. With `cert` and `key`, a client certificate. */
  readonly tls?: TlsOptions;
  readonly sasl?: KafkaLogin;
  /** What brokers log and apply quotas to. Default `palisade.<namespace>`. */
  readonly clientId?: string;
}

/**
 * Options with another login, and nothing else changed: a session may not choose its server. `username` and `password` are
 * for the same mechanism; `cert` and `key` replace the client certificate.
 *
 * @throws {TypeError} when the credentials are of another form, or the options have nothing that they could replace
 */
export function withCredentials(options: KafkaConnectOptions, credentials: Credentials): KafkaConnectOptions {
  const { sasl, tls } = options;
  const keys = Object.keys(credentials).sort().join();
  const { username, password, cert, key } = credentials;
  if (keys === 'password,username' && isText(username) && isText(password)) {
    if (sasl === undefined || sasl.mechanism === 'OAUTHBEARER') {
      throw new TypeError('credentials for Kafka: the driver does not log in with user and password');
    }
    return { ...options, sasl: { mechanism: sasl.mechanism, username, password } };
  }
  if (keys === 'cert,key' && isText(cert) && isText(key)) {
    if (tls === undefined) {
      throw new TypeError('credentials for Kafka: the driver does not use TLS');
    }
    return { ...options, tls: { ...tls, cert, key } };
  }
  throw new TypeError(
    'credentials for Kafka: expected username and password, or cert and key, all text, and nothing else',
  );
}

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
/** Retries of a consumer: nobody waits for it, and it would lose its place. */
export const CONSUMER_RETRIES = 20;
const FIRST_RETRY_DELAY_MS = 100;
const MAX_RETRY_DELAY_MS = 2_000;

const METADATA_MAX_AGE_MS = 60_000;

/** What the clients of a connection have in common. */
export function clientSettings(
  connect: KafkaConnectOptions,
  defaultClientId: string,
  timings: KafkaTimings,
): BaseOptions {
  const { brokers, tls, sasl, clientId = defaultClientId } = connect;
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
