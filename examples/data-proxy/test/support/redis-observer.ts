import { createClient } from 'redis';
import { requireRedisUrl } from '../../../../test/support/test-services.js';

/** Values of all keys on the shared Redis server that contain a text, past all users and prefixes. */
export async function readKeys(part: string): Promise<ReadonlyMap<string, string>> {
  const client = createClient({ url: requireRedisUrl() });
  await client.connect();
  try {
    const found = new Map<string, string>();
    for await (const keys of client.scanIterator({ COUNT: 1000 })) {
      for (const key of keys.filter((name) => name.includes(part))) {
        found.set(key, (await client.get(key)) ?? '');
      }
    }
    return found;
  } finally {
    client.destroy();
  }
}
