import { RedisDriver, RedisProvisioner } from '@palisade/isolation';
import { secretsOf, type BackendOptions } from './backend-options.js';

/**
 * Undefined when Redis is not configured. With a secret, each namespace has its own user, which the server restricts to its
 * keys. SCAN runs as the proxy's own user, because a user that may scan sees the keys of all namespaces.
 */
export async function openRedis({ config, namespaces, logger }: BackendOptions): Promise<RedisDriver | undefined> {
  const { redisUrl, redisAdminUrl, provision } = config;
  if (redisUrl === undefined) {
    return undefined;
  }
  const secrets = secretsOf(config);
  if (secrets === undefined) {
    return new RedisDriver({ config: { url: redisUrl } });
  }
  const users = new RedisProvisioner({ config: { url: redisAdminUrl ?? redisUrl } });
  if (provision) {
    for (const namespace of namespaces) {
      await users.apply(namespace, secrets.passwordOf('redis', namespace));
    }
    logger.log(`Redis is provisioned for ${namespaces.length} namespaces`, 'Backends');
  }
  const url = withoutUser(redisUrl);
  return new RedisDriver({
    config: (namespace) => ({
      url,
      username: users.usernameOf(namespace),
      password: secrets.passwordOf('redis', namespace),
    }),
    scanConfig: { url: redisUrl },
  });
}

/** The user and password of a URL would override those given as options. */
function withoutUser(text: string): string {
  const url = new URL(text);
  url.username = '';
  url.password = '';
  return url.href;
}
