import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll } from '@jest/globals';
import {
  parseNamespaceId,
  parseProviderId,
  type ChangeContext,
  type NamespaceId,
  type ProviderId,
  type Store,
} from '@palisade/domain';

/** Makes a store that is ready for use; `dispose` lets go of everything it took. Suites share what it stores in. */
export type CreateStore = () => Promise<{ store: Store; dispose(): Promise<void> }>;

/** One store for all tests of the surrounding `describe`; tests keep apart by using a provider of their own. */
export function useStore(create: CreateStore): () => Store {
  let opened: Awaited<ReturnType<CreateStore>> | undefined;
  beforeAll(async () => {
    opened = await create();
  });
  afterAll(async () => {
    await opened?.dispose();
  });
  return () => {
    if (!opened) {
      throw new Error('the store is only there while a test runs');
    }
    return opened.store;
  };
}

/** One that no test, of this run or an earlier one, has used. */
export function freshProvider(): ProviderId {
  return parseProviderId(`p-${randomBytes(9).toString('hex')}`);
}

/** One that no test, of this run or an earlier one, has used. */
export function freshNamespace(): NamespaceId {
  return parseNamespaceId(`n-${randomBytes(9).toString('hex')}`);
}

/** A change by `tester` at the given second of 2026-01-01. */
export function changeAt(second: number): ChangeContext {
  return { actor: 'tester', requestId: `request-${second}`, at: new Date(Date.UTC(2026, 0, 1, 0, 0, second)) };
}
