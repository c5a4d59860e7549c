import { afterAll, describe } from '@jest/globals';
import type { Store } from '@palisade/domain';
import { MemoryStore, openStore } from '@palisade/storage';
import { createScratchDatabase } from '../../libs/storage/test/scratch-database.js';

type OpenStore = () => Promise<Store>;

/** Runs a suite over a store in memory and over a PostgreSQL database of its own, which is dropped afterwards. */
export function describeOnEveryStore(name: string, suite: (open: OpenStore) => void): void {
  describe(`${name} on memory`, () => {
    suite(() => Promise.resolve(new MemoryStore()));
  });

  describe(`${name} on PostgreSQL`, () => {
    const drops: (() => Promise<void>)[] = [];

    afterAll(async () => {
      await Promise.all(drops.map((drop) => drop()));
    });

    suite(async () => {
      const database = await createScratchDatabase();
      drops.push(() => database.drop());
      return openStore(database.url);
    });
  });
}
