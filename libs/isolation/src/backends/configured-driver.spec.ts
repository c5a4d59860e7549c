import { describe, expect, it } from '@jest/globals';
import { parseNamespaceId } from '@palisade/domain';
import { NamespaceNotServedError } from '../policy/policy.errors.js';
import { RedisDriver } from './redis/redis-driver.js';
import { ConfiguredDriver } from './configured-driver.js';

describe(ConfiguredDriver.name, () => {
  it('takes a namespace that the policy has lost meanwhile for its own failure, not for the server’s', async () => {
    const driver = new RedisDriver({ config: { url: 'redis://127.0.0.1:1' } });
    const gone = parseNamespaceId('gone');
    const cause = new NamespaceNotServedError(gone);
    driver.followTenants(() => {
      throw cause;
    });
    await expect(driver.connect(gone, new AbortController().signal)).rejects.toMatchObject({
      code: 'NAMESPACE_REJECTED',
      namespace: gone,
      cause,
    });
  });
});
