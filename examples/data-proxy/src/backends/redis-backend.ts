import type { NamespaceId } from '@palisade/domain';
import { NamespaceRejectedError, ownTenant, type Credentials } from '@palisade/isolation';
import {
  RedisDriver,
  type RedisDriverOptions,
  RedisProvisioner,
  type RedisConnection,
} from '@palisade/isolation/redis';
import type { JsonLogger } from '@palisade/platform';
import { secretsOf, type BackendOptions } from './backend-options.js';

/**
 * Undefined when Redis is not configured. With a secret, each tenant has its own user, which the server restricts to its
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
    for (const tenantId of namespaces.map(ownTenant)) {
      await users.apply(tenantId, secrets.passwordOf('redis', tenantId));
    }
    logger.log(`Redis is provisioned for ${namespaces.length} namespaces`, 'Backends');
  }
  const url = withoutUser(redisUrl);
  const driverOptions: RedisDriverOptions = {
    config: ({ tenantId }) => ({
      url,
      username: users.usernameOf(tenantId),
      password: secrets.passwordOf('redis', tenantId),
    }),
    scanConfig: { url: redisUrl },
  };
  if (!provision) {
    return new RedisDriver(driverOptions);
  }
  const provisioned = new Set(namespaces);
  return new ProvisioningRedisDriver(driverOptions, logger, async (namespace) => {
    if (!provisioned.has(namespace)) {
      return false;
    }
    const tenantId = ownTenant(namespace);
    await users.apply(tenantId, secrets.passwordOf('redis', tenantId));
    return true;
  });
}

/** Provisions a namespace's user when the server rejects it: a server that restarts may have lost its users. */
class ProvisioningRedisDriver extends RedisDriver {
  constructor(
    options: RedisDriverOptions,
    private readonly logger: JsonLogger,
    /** Resolves to false for a namespace whose user is not this program's to create. */
    private readonly provision: (namespace: NamespaceId) => Promise<boolean>,
  ) {
    super(options);
  }

  override async connect(
    namespace: NamespaceId,
    signal: AbortSignal,
    credentials?: Credentials,
  ): Promise<RedisConnection> {
    try {
      return await super.connect(namespace, signal, credentials);
    } catch (error) {
      const isOwnUser = error instanceof NamespaceRejectedError && credentials === undefined;
      if (!isOwnUser || !(await this.#repair(namespace))) {
        throw error;
      }
    }
    return super.connect(namespace, signal);
  }

  /** Never rejects. */
  async #repair(namespace: NamespaceId): Promise<boolean> {
    try {
      const isProvisioned = await this.provision(namespace);
      if (isProvisioned) {
        this.logger.warn(`Redis did not know the user of ${namespace}: it is provisioned again`, 'Backends');
      }
      return isProvisioned;
    } catch (error) {
      this.logger.warn(`Redis cannot be provisioned again for ${namespace}`, error, 'Backends');
      return false;
    }
  }
}

/** The user and password of a URL would override those given as options. */
function withoutUser(text: string): string {
  const url = new URL(text);
  url.username = '';
  url.password = '';
  return url.href;
}
