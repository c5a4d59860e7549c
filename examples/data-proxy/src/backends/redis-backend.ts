import { RedisDriver, RedisProvisioner } from '@palisade/isolation';
import type { OpenOptions } from './open-options.js';
import { secretsOf } from './secrets-of.js';

/**
 * Undefined when Redis is not named. With a secret, each namespace has a user of its own, whom the server holds to its keys;
 * the proxy's own user scans for them, since whoever scans sees the keys of all.
 */
export async function openRedis({ config, namespaces, logger }: OpenOptions): Promise<RedisDriver | undefined> {
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

/** In a URL, user and password would win over those beside it. */
function withoutUser(text: string): string {
  const url = new URL(text);
  url.username = '';
  url.password = '';
  return url.href;
}
