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

  /** A request of a provider, or of nobody yet, whose turn comes unless it has to wait. */
  function begin(provider?: string, handle: () => void = () => {}) {
    let turn: Promise<boolean> | undefined;
    const socket = { bytesWritten: 0 };
    const response = { req: { socket }, setHeader: () => {} } as unknown as Response;
    requestContext({ headers: {} } as Request, response, () => {
      currentRequest()?.annotate({ provider });
      turns.follow({} as Request, response, () => {
        turn = turns.begin(response);
        handle();
      });
    });
    const begun = { isSo: turn === undefined };
    const watch = async () => {
      begun.isSo = (await turn) ?? true;
    };
    void watch();
    return {
      begun,
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

  it('lets a caller that is sent much read one piece after the other, while others ask as well', async () => {
    begin('bolt').end();
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

  it('lets a caller that is alone read at once, whatever it is sent', async () => {
    begin('bolt').end();
    await jest.advanceTimersByTimeAsync(1000);
    begin('acme').send(8 * MIB);
    const { begun } = readsOf('acme', 6);
    await jest.advanceTimersByTimeAsync(0);
    expect(begun).toHaveLength(6);
  });

  it('charges an answer while it is being sent', async () => {
    begin('bolt').end();
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
    begin('cole').end();
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
    begin('bolt').end();
    const ends: (() => void)[] = [];
    const read = () => turns.runForCaller(() => new Promise<void>((resolve) => ends.push(resolve)));
    begin('acme', () => void Promise.all([read(), read()])).send(2 * MIB);
    await jest.advanceTimersByTimeAsync(60);
    expect(ends).toHaveLength(2);
    begin('bolt', () => void Promise.all([read(), read()]));
    begin('acme', () => void Promise.all([read(), read()]));
    await jest.advanceTimersByTimeAsync(60);
    expect(ends).toHaveLength(5);
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
    await Promise.all([turns.run('acme', async () => {}), turns.run('bolt', async () => {})]);
    const [acme, bolt] = [readsOf('acme', 1), readsOf('bolt', 1)];
    await jest.advanceTimersByTimeAsync(0);
    expect([acme.begun.length, bolt.begun.length]).toEqual([1, 1]);
  });

  /** So many requests of one caller. */
  const flood = (count: number, caller = 'acme') => Array.from({ length: count }, () => begin(caller));
  const countBegun = (requests: readonly ReturnType<typeof begin>[]) =>
    requests.filter(({ begun }) => begun.isSo).length;

  it('lets sixteen young requests of a caller that is alone begin at once', async () => {
    const requests = flood(18);
    await jest.advanceTimersByTimeAsync(40);
    expect(countBegun(requests)).toBe(16);
    requests[3]?.end();
    await jest.advanceTimersByTimeAsync(2);
    expect(countBegun(requests)).toBe(17);
  });

  it('lets four young requests of a caller begin at once while others ask as well', async () => {
    const other = begin('bolt');
    const requests = flood(6);
    await jest.advanceTimersByTimeAsync(40);
    expect([other.begun.isSo, countBegun(requests)]).toEqual([true, 4]);
    requests[0]?.end();
    await jest.advanceTimersByTimeAsync(2);
    expect(countBegun(requests)).toBe(5);
  });

  it('does not count requests that last, so that streams and slow ones hold up no others', async () => {
    begin('bolt');
    flood(4);
    await jest.advanceTimersByTimeAsync(50);
    expect(begin('acme').begun.isSo).toBe(true);
  });

  it('lets one request at a time begin of a caller that is sent much, after those of others', async () => {
    const first = begin('acme');
    first.send(4 * MIB);
    first.end();
    const other = begin('bolt');
    const requests = flood(2);
    await jest.advanceTimersByTimeAsync(40);
    expect(countBegun(requests)).toBe(0);
    other.end();
    await jest.advanceTimersByTimeAsync(2);
    expect(countBegun(requests)).toBe(1);
    await jest.advanceTimersByTimeAsync(200);
    expect(countBegun(requests)).toBe(1);
    requests[0]?.end();
    await jest.advanceTimersByTimeAsync(2);
    expect(countBegun(requests)).toBe(2);
  });

  it('does not begin a request whose client disconnects while it waits', async () => {
    const requests = flood(18);
    requests[16]?.end();
    requests[0]?.end();
    await jest.advanceTimersByTimeAsync(2);
    expect(requests.map(({ begun }) => begun.isSo)).toEqual([...Array<boolean>(16).fill(true), false, true]);
  });

  it('takes no more requests of a caller of whom a thousand wait, but those of others', () => {
    flood(16 + 1000);
    expect(() => begin('acme')).toThrow(expect.objectContaining({ status: 429, retryAfterSeconds: 1 }));
    expect(begin('bolt').begun.isSo).toBe(true);
  });

  it('begins requests of unknown callers at once', () => {
    begin('bolt');
    expect(countBegun(Array.from({ length: 40 }, () => begin()))).toBe(40);
  });

  it('reads at once again when time has passed, and then forgets the caller', async () => {
    begin('bolt').end();
    const long = begin('acme');
    long.send(3 * MIB);
    long.end();
    await jest.advanceTimersByTimeAsync(520);
    begin('bolt').end();
    const { begun, ended } = readsOf('acme', 2);
    expect(begun).toHaveLength(2);
    begun.forEach((end) => end());
    await ended();
    await jest.advanceTimersByTimeAsync(250);
    const other = begin('bolt');
    other.send(100);
    other.end();
    expect(turns.size).toBe(1);
    await jest.advanceTimersByTimeAsync(1);
    turns.forgetSettled();
    expect(turns.size).toBe(0);
  });
});
