import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Request, Response } from 'express';
import { FairTurns } from './fair-turns.js';
import type { FinishedRequest } from './observe-requests.js';
import { currentRequest, requestContext } from './request-context.js';

const MIB = 2 ** 20;

describe(FairTurns.name, () => {
  let turns: FairTurns;
  beforeEach(() => {
    jest.useFakeTimers();
    turns = new FairTurns();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  /** A request of a provider, or of nobody yet. */
  function begin(provider?: string, handle: () => void = () => {}) {
    const socket = { bytesWritten: 0 };
    const response = { req: { socket }, setHeader: () => {} } as unknown as Response;
    requestContext({ headers: {} } as Request, response, () => {
      currentRequest()?.annotate({ provider });
      turns.follow({} as Request, response, handle);
    });
    return {
      send: (bytes: number) => {
        socket.bytesWritten += bytes;
      },
      end: () => turns.end({} as FinishedRequest, response),
    };
  }

  /** Which reads have begun; each ends when it is told to. */
  function readsOf(provider: string, count: number) {
    const begun: (() => void)[] = [];
    const reads = Array.from({ length: count }, () =>
      turns.run(provider, () => new Promise<void>((resolve) => begun.push(resolve))),
    );
    return { begun, ended: () => Promise.all(reads) };
  }

  it('lets a caller that is sent little read some pieces at a time, and the others one after the other', async () => {
    begin('acme').send(1_000_000);
    begin('bolt');
    const { begun, ended } = readsOf('acme', 9);
    await jest.advanceTimersByTimeAsync(0);
    expect(begun).toHaveLength(7);
    begun[0]?.();
    await jest.advanceTimersByTimeAsync(0);
    expect(begun).toHaveLength(7);
    begun[6]?.();
    await jest.advanceTimersByTimeAsync(0);
    expect(begun).toHaveLength(8);
    for (let read = 0; read < 9; read++) {
      begun[read]?.();
      await jest.advanceTimersByTimeAsync(0);
    }
    await ended();
  });

  it('lets a caller that is sent much read one piece after the other', async () => {
    begin('acme').send(2 * MIB);
    const { begun, ended } = readsOf('acme', 2);
    await jest.advanceTimersByTimeAsync(0);
    expect(begun).toHaveLength(1);
    begun[0]?.();
    await jest.advanceTimersByTimeAsync(0);
    expect(begun).toHaveLength(2);
    begun[1]?.();
    await ended();
  });

  it('charges an answer while it is being sent', async () => {
    const long = begin('acme');
    await turns.run('acme', async () => {});
    long.send(2 * MIB);
    const { begun } = readsOf('acme', 2);
    await jest.advanceTimersByTimeAsync(0);
    expect(begun).toHaveLength(1);
  });

  it.each([
    ['another provider', 'bolt'],
    ['somebody unknown', undefined],
  ])('lets a request of %s go before the next piece', async (_name, other) => {
    begin('acme').send(2 * MIB);
    const small = begin(other);
    const { begun } = readsOf('acme', 1);
    await jest.advanceTimersByTimeAsync(40);
    expect(begun).toHaveLength(0);
    small.end();
    await jest.advanceTimersByTimeAsync(2);
    expect(begun).toHaveLength(1);
  });

  it('reads in the turn of whoever sent the request', async () => {
    begin('acme').send(2 * MIB);
    const ends: (() => void)[] = [];
    const read = () => turns.runForCaller(() => new Promise<void>((resolve) => ends.push(resolve)));
    begin('acme', () => void Promise.all([read(), read()]));
    begin('bolt', () => void read());
    await jest.advanceTimersByTimeAsync(60);
    expect(ends).toHaveLength(2);
  });

  it('waits 50 ms at most, and not at all for a request that is older', async () => {
    begin('acme').send(4 * MIB);
    begin('bolt');
    const { begun } = readsOf('acme', 1);
    await jest.advanceTimersByTimeAsync(52);
    expect(begun).toHaveLength(1);
    begun[0]?.();
    const next = readsOf('acme', 1);
    await jest.advanceTimersByTimeAsync(0);
    expect(next.begun).toHaveLength(1);
  });

  it('lets callers that are sent much read beside each other', async () => {
    begin('acme').send(4 * MIB);
    begin('bolt').send(4 * MIB);
    const [acme, bolt] = [readsOf('acme', 1), readsOf('bolt', 1)];
    await jest.advanceTimersByTimeAsync(0);
    expect([acme.begun.length, bolt.begun.length]).toEqual([1, 1]);
  });

  it('reads at once again when time has passed, and then forgets the caller', async () => {
    const long = begin('acme');
    long.send(3 * MIB);
    long.end();
    await jest.advanceTimersByTimeAsync(520);
    const { begun, ended } = readsOf('acme', 2);
    expect(begun).toHaveLength(2);
    begun.forEach((end) => end());
    await ended();
    await jest.advanceTimersByTimeAsync(250);
    expect(turns.size).toBe(1);
    const other = begin('bolt');
    other.send(100);
    other.end();
    expect(turns.size).toBe(1);
    await jest.advanceTimersByTimeAsync(1);
    turns.forgetSettled();
    expect(turns.size).toBe(0);
  });
});
