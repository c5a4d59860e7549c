import type { RedisClientOptions } from 'redis';
import { RedisClient } from './redis-package.js';
import type { Credentials } from '../../pools/connection-driver.js';
import { isText } from '../passwords.js';

/** How to connect to a Redis server: the options of node-redis for the address, the login and TLS. */
export type RedisConnectOptions = Pick<
  RedisClientOptions,
  'url' | 'socket' | 'username' | 'password' | 'credentialsProvider' | 'name' | 'database'
>;

type ClientOptions = Omit<RedisClientOptions, 'RESP' | 'modules' | 'functions' | 'scripts'>;

/**
 * Options with another user and password, and nothing else changed: a session may not choose its server.
 *
 * @throws {TypeError} when the credentials, or the URL that they should go into, are of another form
 */
export function withCredentials(options: RedisConnectOptions, credentials: Credentials): RedisConnectOptions {
  const { username, password, ...others } = credentials;
  if (!isText(username) || !isText(password) || Object.keys(others).length > 0) {
    throw new TypeError('credentials for Redis: expected username and password, both text, and nothing else');
  }
  const { url, credentialsProvider: _, ...rest } = options;
  return { ...rest, url: url && withoutUser(url), username, password };
}

/** In a URL, user and password would win over those beside it. */
function withoutUser(text: string): string {
  const url = URL.parse(text);
  if (url === null || url.protocol === 'unix:') {
    throw new TypeError('credentials for Redis: expected a URL with redis: or rediss:');
  }
  url.username = '';
  url.password = '';
  return url.href;
}

/**
 * Options for a client that never connects again by itself and leaves nothing of its own on the server.
 *
 * @throws {TypeError} when a user is named without a password: the client would then connect as the default user
 */
export function clientOptions(options: RedisConnectOptions, signal: AbortSignal): ClientOptions {
  const { username, password } =
    options.url === undefined ? options : { ...options, ...RedisClient.parseURL(options.url) };
  if (username !== undefined && !isText(password)) {
    throw new TypeError(`Redis: expected a password for the user ${JSON.stringify(username)}`);
  }
  return {
    ...options,
    socket: { ...options.socket, reconnectStrategy: false, signal } as ClientOptions['socket'],
    // The client's own limit holds for commands that have not been sent, and costs a signal for each.
    commandOptions: { timeout: undefined },
    disableOfflineQueue: true,
    disableClientInfo: true,
    maintNotifications: 'disabled',
  };
}
