import { PostgresStore } from '../src/postgres/postgres-store.js';
import { createScratchDatabase } from './scratch-database.js';
import { describeStoreContract } from './store.contract.js';

describeStoreContract('postgres', async () => {
  const database = await createScratchDatabase();
  const store = new PostgresStore(database.url);
  await store.migrate();
  return {
    store,
    dispose: async () => {
      await store.close();
      await database.drop();
    },
  };
});
