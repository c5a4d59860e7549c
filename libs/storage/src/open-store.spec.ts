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

  it('rejects a URL that names no store', async () => {
    await expect(openStore('mysql://user:secret@host/db')).rejects.toThrow(SyntaxError);
  });
});
