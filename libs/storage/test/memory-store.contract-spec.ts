import { MemoryStore } from '../src/memory/memory-store.js';
import { describeStoreContract } from './store.contract.js';

describeStoreContract('memory', async () => {
  const store = new MemoryStore();
  return {
    store,
    dispose: async () => {
      await store.close();
    },
  };
});
