import { describe, expect, it } from '@jest/globals';
import { MemoryStore } from './memory/memory-store.js';
import { openStore } from './open-store.js';
import { PostgresStore } from './postgres/postgres-store.js';

describe(openStore.name, () => {
  it('opens a store in memory', async () => {
    const store = await openStore('memory:');

    expect(store).toBeInstanceOf(MemoryStore);
  });

  it.each(['postgres://user:secret@127.0.0.1:1/db', 'postgresql://user:secret@127.0.0.1:1/db'])(
    'opens a store in PostgreSQL without connecting: %s',
    async (url) => {
      const store = await openStore(url);

      expect(store).toBeInstanceOf(PostgresStore);
      await store.close();
    },
  );

  it.each([
    ['mysql://user:secret@host/db', 'the scheme "mysql:"'],
    ['secret', 'no scheme'],
    ['', 'no scheme'],
  ])('refuses a URL of another kind without repeating it: %j', async (url, found) => {
    await expect(openStore(url)).rejects.toThrow(
      new Error(`store URL: expected memory:, postgres://… or embedded:<directory>, found ${found}`),
    );
  });

  it.each(['postgres://user:se/cret@host:x/db', 'postgres:user:secret'])(
    'refuses a malformed PostgreSQL URL without repeating it: %j',
    async (url) => {
      const error: unknown = await openStore(url).catch((thrown: unknown) => thrown);

      expect(error).toMatchObject({ message: expect.stringContaining('expected postgres://user:password@host') });
      expect(JSON.stringify(error, ['message', 'stack', 'cause', 'input'])).not.toMatch(/se\/?cret/);
    },
  );

  it('refuses an embedded store without a directory', async () => {
    await expect(openStore('embedded:')).rejects.toThrow('expected a directory behind "embedded:"');
  });
});
