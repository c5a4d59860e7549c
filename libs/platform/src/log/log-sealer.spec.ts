import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { StoreUnavailableError, type HeldLease, type Store } from '@palisade/domain';
import { LogSealer } from './log-sealer.js';

describe(LogSealer.name, () => {
  let seal: jest.Mock<() => Promise<number>>;
  let holder: string | undefined;
  let store: Store;
  let sealers: LogSealer[];

  beforeEach(() => {
    jest.useFakeTimers();
    jest.spyOn(Logger.prototype, 'error').mockReturnValue();
    seal = jest.fn(async () => 0);
    holder = undefined;
    sealers = [];
    const acquire = async (name: string, asking: string): Promise<HeldLease> => {
      holder ??= asking;
      return { name, holder, epoch: 1, expiresAt: new Date() };
    };
    const release = async (_: string, asking: string): Promise<boolean> => {
      const isHolder = holder === asking;
      holder = isHolder ? undefined : holder;
      return isHolder;
    };
    store = { log: { seal }, leases: { acquire, release } } as unknown as Store;
  });

  afterEach(async () => {
    await Promise.all(sealers.map((sealer) => sealer.onModuleDestroy()));
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  function start(): LogSealer {
    const sealer = new LogSealer(store);
    sealers.push(sealer);
    sealer.onApplicationBootstrap();
    return sealer;
  }

  it('looks four times a second when there is nothing to seal', async () => {
    start();
    await jest.advanceTimersByTimeAsync(10_000);
    expect(seal.mock.calls.length).toBe(41);
  });

  it('goes on at once after a full batch', async () => {
    seal.mockResolvedValueOnce(1000).mockResolvedValueOnce(1000).mockResolvedValueOnce(3);
    start();
    await jest.advanceTimersByTimeAsync(50);
    expect(seal).toHaveBeenCalledTimes(3);
  });

  it('leaves sealing to whoever holds the lease, and takes over when the lease is given up', async () => {
    const first = start();
    await jest.advanceTimersByTimeAsync(0);
    start();
    await jest.advanceTimersByTimeAsync(1000);
    expect(seal.mock.calls.length).toBe(5);

    await first.onModuleDestroy();
    seal.mockClear();
    await jest.advanceTimersByTimeAsync(3000);
    expect(seal.mock.calls.length).toBeGreaterThan(1);
  });

  it('goes on when the store comes back, and reports a defect once', async () => {
    seal.mockRejectedValueOnce(new StoreUnavailableError(1));
    seal.mockRejectedValueOnce(new TypeError('x')).mockRejectedValueOnce(new TypeError('x'));
    start();
    await jest.advanceTimersByTimeAsync(2500);
    expect(Logger.prototype.error).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(2500);
    seal.mockClear();
    await jest.advanceTimersByTimeAsync(1000);
    expect(seal.mock.calls.length).toBe(4);
  });
});
