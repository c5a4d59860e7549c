import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import {
  StoreUnavailableError,
  parseNamespacePattern,
  parseTenantId,
  type TenantDraft,
  type TenantStore,
} from '@palisade/domain';
import { StorePreparation } from '@palisade/platform';
import { MemoryStore } from '@palisade/storage';
import { STANDARD, routingSettings } from '../../../test/support/routing-settings.js';
import { RoutingTable } from './routing-table.js';
import { Registry } from './registry.js';

const CHANGE = { actor: 'test', at: new Date(0) };

function draft(pattern: string): TenantDraft {
  return { namespacePatterns: [parseNamespacePattern(pattern)], pool: STANDARD };
}

describe(Registry.name, () => {
  let store: MemoryStore;
  let registry: Registry;

  beforeEach(() => {
    jest.useFakeTimers();
    jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    jest.spyOn(Logger.prototype, 'log').mockReturnValue();
    store = new MemoryStore();
  });

  afterEach(async () => {
    await registry.onModuleDestroy();
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  async function start(): Promise<void> {
    const preparation = new StorePreparation(store);
    await preparation.onApplicationBootstrap();
    registry = new Registry(store, preparation, new RoutingTable(routingSettings()));
    registry.onApplicationBootstrap();
    await jest.advanceTimersByTimeAsync(0);
  }

  const register = (id: string) => store.tenants.register(parseTenantId(id), 'api', draft(id), CHANGE);
  const poolOf = (namespace: string) => registry.table.resolve(namespace)?.pool;
  const changesSince = () => jest.spyOn(store.tenants as TenantStore, 'changesSince');

  it('loads what there is, page by page', async () => {
    for (let at = 0; at < 2500; at += 1) {
      await register(`t${at}`);
    }
    const asked = changesSince();
    await start();
    expect([registry.table.tenantCount, asked.mock.calls.length]).toEqual([2500, 3]);
  });

  it('asks the store one question for each reading', async () => {
    await start();
    const checked = jest.spyOn(store, 'check');
    const asked = changesSince();
    await registry.current();
    expect([checked.mock.calls.length, asked.mock.calls.length]).toEqual([0, 1]);
  });

  it('has a check right after the start wait for the first reading', async () => {
    const slow = Promise.withResolvers<void>();
    const { changesSince: read } = store.tenants;
    changesSince().mockImplementationOnce(async (revision, limit) => {
      await slow.promise;
      return read.call(store.tenants, revision, limit);
    });
    await start();
    const checked = registry.check();
    slow.resolve();
    await expect(checked).resolves.toBeUndefined();
  });

  it('shows what another replica changes within a second', async () => {
    await start();
    await register('acme');
    await jest.advanceTimersByTimeAsync(1000);
    expect(poolOf('acme')).toBe('standard');
    await store.tenants.remove(parseTenantId('acme'), CHANGE, { source: 'api' });
    await jest.advanceTimersByTimeAsync(1000);
    expect(poolOf('acme')).toBeUndefined();
  });

  it('shows every change that was made before it is asked', async () => {
    await start();
    await register('acme');
    expect((await registry.current()).resolve('acme')?.pool).toBe('standard');
  });

  it('does not take a reading that began before the question for an answer', async () => {
    await start();
    const slow = Promise.withResolvers<void>();
    const { changesSince: read } = store.tenants;
    changesSince().mockImplementationOnce(async (revision, limit) => {
      const changes = await read.call(store.tenants, revision, limit);
      await slow.promise;
      return changes;
    });
    await jest.advanceTimersByTimeAsync(250);
    await register('acme');
    const asked = registry.current();
    slow.resolve();
    expect((await asked).resolve('acme')?.pool).toBe('standard');
  });

  it('answers many questions at once with two readings', async () => {
    await start();
    const asked = changesSince();
    await Promise.all(Array.from({ length: 50 }, () => registry.current()));
    expect(asked.mock.calls.length).toBeLessThanOrEqual(2);
  });

  it('tells its listeners what has changed, also when one of them fails', async () => {
    jest.spyOn(Logger.prototype, 'error').mockReturnValue();
    await start();
    const told: unknown[] = [];
    registry.onChange(() => {
      throw new Error('a defect');
    });
    registry.onChange(({ revision, changed, removed }) => told.push([revision, changed.map(({ id }) => id), removed]));
    await register('acme');
    await registry.current();
    await store.tenants.remove(parseTenantId('acme'), CHANGE, { source: 'api' });
    await registry.current();
    await registry.current();
    expect(told).toEqual([
      [1, ['acme'], []],
      [2, [], ['acme']],
    ]);
  });

  describe('while the store is away', () => {
    async function goAway(): Promise<void> {
      await register('acme');
      await start();
      changesSince().mockRejectedValue(new StoreUnavailableError(1));
      await jest.advanceTimersByTimeAsync(250);
    }

    it('stays as it was, and says that it is not ready', async () => {
      await goAway();
      expect((await registry.current()).resolve('acme')?.pool).toBe('standard');
      await expect(registry.check()).rejects.toThrow(StoreUnavailableError);
    });

    it('asks every four seconds in the end, and logs it once', async () => {
      await goAway();
      await jest.advanceTimersByTimeAsync(60_000);
      const asked = changesSince();
      const before = asked.mock.calls.length;
      await jest.advanceTimersByTimeAsync(40_000);
      expect(asked.mock.calls.length - before).toBe(10);
      expect(jest.mocked(Logger.prototype.warn)).toHaveBeenCalledTimes(1);
    });

    it('catches up when it is back', async () => {
      await goAway();
      jest.mocked(store.tenants.changesSince).mockRestore();
      await register('other');
      await jest.advanceTimersByTimeAsync(4000);
      expect(poolOf('other')).toBe('standard');
      await expect(registry.check()).resolves.toBeUndefined();
    });

    it('catches up at once for whoever has changed something', async () => {
      await goAway();
      jest.mocked(store.tenants.changesSince).mockRestore();
      await register('other');
      expect((await registry.caughtUp()).resolve('other')?.pool).toBe('standard');
    });
  });

  it('answers nothing until it has loaded', async () => {
    changesSince().mockRejectedValue(new StoreUnavailableError(1));
    await start();
    await expect(registry.current()).rejects.toThrow(StoreUnavailableError);
    await expect(registry.check()).rejects.toThrow(StoreUnavailableError);
  });

  it('loads everything again from a store that was put back to an earlier state', async () => {
    await register('gone');
    await register('gone-too');
    await start();
    const earlier = new MemoryStore();
    await earlier.tenants.register(parseTenantId('acme'), 'api', draft('acme'), CHANGE);
    changesSince().mockImplementation((revision, limit) => earlier.tenants.changesSince(revision, limit));
    await jest.advanceTimersByTimeAsync(250);
    expect([poolOf('acme'), poolOf('gone'), registry.table.tenantCount]).toEqual(['standard', undefined, 1]);
  });
});
