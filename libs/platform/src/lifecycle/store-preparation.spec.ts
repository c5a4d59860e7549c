import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { type Store, StoreUnavailableError } from '@palisade/domain';
import { StorePreparation } from './store-preparation.js';

describe(StorePreparation.name, () => {
  const migrate = jest.fn<() => Promise<void>>();
  const store = { migrate, check: async () => {}, close: async () => 0 } as unknown as Store;
  let logged: string[];

  beforeEach(() => {
    logged = [];
    jest.spyOn(Logger.prototype, 'warn').mockImplementation((message: string) => void logged.push(message));
    jest.spyOn(Logger.prototype, 'log').mockImplementation((message: string) => void logged.push(message));
    migrate.mockReset();
  });

  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('starts a service whose store is unreachable, and logs the outage and its end once', async () => {
    const isBack = Promise.withResolvers<void>();
    migrate.mockRejectedValueOnce(new StoreUnavailableError(1)).mockRejectedValueOnce(new StoreUnavailableError(1));
    migrate.mockReturnValueOnce(isBack.promise);
    const preparation = new StorePreparation(store);
    await preparation.onApplicationBootstrap();
    await expect(preparation.check()).rejects.toBeInstanceOf(StoreUnavailableError);
    isBack.resolve();
    // Ends once the retries have.
    await preparation.onApplicationShutdown();
    await expect(preparation.check()).resolves.toBeUndefined();
    expect(logged).toEqual(['the store is unavailable, retrying', 'the store is available, and its schema is current']);
  });

  it('retries and says so when the store rejects its schema after an outage', async () => {
    migrate.mockRejectedValueOnce(new StoreUnavailableError(1)).mockRejectedValueOnce(new Error('no such role'));
    migrate.mockResolvedValueOnce();
    const preparation = new StorePreparation(store);
    await preparation.onApplicationBootstrap();
    await preparation.onApplicationShutdown();
    expect(logged).toEqual([
      'the store is unavailable, retrying',
      'the store cannot be prepared, retrying',
      'the store is available, and its schema is current',
    ]);
  });

  it('reports the operations that were cut off when the store was closed', async () => {
    migrate.mockResolvedValue();
    const close = jest.fn<(graceMs?: number) => Promise<number>>().mockResolvedValue(2);
    const preparation = new StorePreparation({ migrate, close } as unknown as Store);
    await preparation.onApplicationBootstrap();
    preparation.abandon();
    await preparation.onApplicationShutdown();
    expect(close.mock.calls).toEqual([[0], []]);
    expect(logged).toEqual(['2 operations of the store were still under way and have been cut off']);
  });

  it('does not wait for a migration that hangs once it is abandoned', async () => {
    migrate.mockRejectedValueOnce(new StoreUnavailableError(1)).mockReturnValue(new Promise(() => {}));
    const preparation = new StorePreparation(store);
    await preparation.onApplicationBootstrap();
    while (migrate.mock.calls.length < 2) {
      await new Promise((resolve) => {
        setTimeout(resolve, 10);
      });
    }
    preparation.abandon();
    await expect(preparation.onApplicationShutdown()).resolves.toBeUndefined();
  });

  it('logs nothing when the store is reachable', async () => {
    migrate.mockResolvedValue();
    await new StorePreparation(store).onApplicationBootstrap();
    expect(logged).toEqual([]);
  });

  it('does not start a service whose store rejects its schema', async () => {
    migrate.mockRejectedValue(new Error('no such role'));
    await expect(new StorePreparation(store).onApplicationBootstrap()).rejects.toThrow('no such role');
  });
});
