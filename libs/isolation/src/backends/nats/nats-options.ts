import type { ConnectionOptions } from '@nats-io/transport-node';
import { credsAuthenticator, jwtAuthenticator, nkeyAuthenticator } from './nats-package.js';
import type { Credentials } from '../../pools/connection-driver.js';

/** How to connect to NATS servers: addresses, login and TLS. */
export type NatsConnectOptions = Pick<
  ConnectionOptions,
  'servers' | 'name' | 'user' | 'pass' | 'token' | 'authenticator' | 'tls' | 'pingInterval' | 'noRandomize'
>;

type Identity = Pick<ConnectionOptions, 'user' | 'pass' | 'token' | 'authenticator'>;

/** So that a connection that leads nowhere is known to be lost after a minute. */
const PING_INTERVAL_MS = 20_000;
const MAX_PINGS_OUT = 2;

/** Only for attempts that nobody aborts. */
const CONNECT_TIMEOUT_MS = 30_000;

/**
 * Options as somebody else, and nothing else changed: a session may not choose its server. Credentials are `user` and
 * `password`; `token`; `nkeySeed`; `jwt` and `nkeySeed`; or `creds`, the content of a credentials file.
 *
 * @throws {TypeError} when the credentials are of another form
 */
export function withCredentials(options: NatsConnectOptions, credentials: Credentials): NatsConnectOptions {
  const { user: _user, pass: _pass, token: _token, authenticator: _authenticator, ...rest } = options;
  return { ...rest, ...identityOf(credentials) };
}

function identityOf(credentials: Credentials): Identity {
  const given = new Map(Object.entries(credentials));
  const names = [...given.keys()].toSorted().join(' ');
  const text = (name: string): string => {
    const value = given.get(name);
    if (typeof value !== 'string' || value === '') {
      throw new TypeError(`credentials for NATS: expected ${name} as text`);
    }
    return value;
  };
  const bytes = (name: string) => new TextEncoder().encode(text(name));
  switch (names) {
    case 'password user':
      return { user: text('user'), pass: text('password') };
    case 'token':
      return { token: text('token') };
    case 'nkeySeed':
      return { authenticator: nkeyAuthenticator(bytes('nkeySeed')) };
    case 'jwt nkeySeed':
      return { authenticator: jwtAuthenticator(text('jwt'), bytes('nkeySeed')) };
    case 'creds':
      return { authenticator: credsAuthenticator(bytes('creds')) };
    default:
      throw new TypeError(
        'credentials for NATS: expected user and password, token, nkeySeed, jwt and nkeySeed, or creds',
      );
  }
}

/** Options for a client that never connects again by itself, and whose replies come below `inboxPrefix`. */
export function connectionOptions(
  options: NatsConnectOptions,
  inboxPrefix: string,
  signal: AbortSignal,
): ConnectionOptions {
  const { tls } = options;
  return {
    pingInterval: PING_INTERVAL_MS,
    ...options,
    // Where TLS comes first, the signal is how an attempt can be ended; elsewhere it does no harm.
    tls: tls && Object.assign({ signal }, tls),
    inboxPrefix,
    maxPingOut: MAX_PINGS_OUT,
    timeout: CONNECT_TIMEOUT_MS,
    reconnect: false,
    ignoreClusterUpdates: true,
    noAsyncTraces: true,
  };
}
