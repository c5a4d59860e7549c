import type { ConnectionOptions as TlsOptions } from 'node:tls';
import type { Credentials } from '../../pools/connection-driver.js';

/** As whom to log in. The password of PLAIN crosses the network as it is: use it with TLS. */
export type KafkaLogin =
  | {
      readonly mechanism: 'SCRAM-SHA-256' | 'SCRAM-SHA-512' | 'PLAIN';
      readonly username: string;
      readonly password: string;
    }
  | { readonly mechanism: 'OAUTHBEARER'; readonly token: string | (() => string | Promise<string>) };

/** How to connect to a Kafka cluster: where, as whom, and how it is secured. */
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

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
