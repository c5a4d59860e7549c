import type { ClientConfig } from 'pg';
import type { Credentials } from '../../pools/connection-driver.js';

/**
 * A configuration with another user and password, and nothing else changed: a session may not choose its server.
 *
 * @throws {TypeError} when the credentials, or the connection string that they should go into, are of another form
 */
export function withCredentials(config: ClientConfig, credentials: Credentials): ClientConfig {
  const { user, password, ...others } = credentials;
  if (typeof user !== 'string' || typeof password !== 'string' || Object.keys(others).length > 0) {
    throw new TypeError('credentials for PostgreSQL: expected user and password, both text, and nothing else');
  }
  if (config.connectionString === undefined) {
    return { ...config, user, password };
  }
  return { ...config, connectionString: replaceUser(config.connectionString, user, password) };
}

/** In a connection string, user and password would win over those beside it; so they have to be replaced in it. */
function replaceUser(connectionString: string, user: string, password: string): string {
  const url = URL.parse(connectionString);
  if (url === null) {
    throw new TypeError('credentials for PostgreSQL: expected a connection string that is a URL');
  }
  url.username = encodeURIComponent(user);
  url.password = encodeURIComponent(password);
  url.searchParams.delete('user');
  url.searchParams.delete('password');
  return url.href;
}
